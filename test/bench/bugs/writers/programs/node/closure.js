function counter() {
  const state = { count: 0 };
  return (amount) => {
    state.count += amount; // marker: writes
    return state;
  };
}

function main() {
  const visits = counter();
  const errors = counter();
  visits(3);
  const state = errors(-3);
  visits(2);
  console.log(state.count); // marker: wrong
}

main();
