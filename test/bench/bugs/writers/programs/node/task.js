class Session {
  user = undefined;
}

async function login(session, user) {
  await Promise.resolve();
  session.user = user; // marker: writes
}

async function main() {
  const session = new Session();
  await Promise.all([login(session, 'ada'), login(session, 'bob')]);
  console.log(session.user); // marker: wrong
}

main();
