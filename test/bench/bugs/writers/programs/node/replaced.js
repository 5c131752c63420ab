function configured(kind, patch) {
  let config = { retries: 3, wait: 1 };
  if (kind === 'batch') config = { ...config, wait: 60 };
  config = { ...config, ...patch }; // marker: writes
  return show(config);
}

function show(config) {
  console.log(config.retries); // marker: wrong
}

configured('live', { wait: 2 });
configured('batch', { retries: 0 });
