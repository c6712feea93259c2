// Opens a store in a process that must not load the migrations: `node --import
// test/typescript-loader.mjs` with this file and the store.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

export function load(url, context, nextLoad) {
  if (url.endsWith('/migrate.ts')) throw new Error('The migrations were loaded.');
  return nextLoad(url, context);
}

if (isMainThread) {
  register(import.meta.url);
  const { openStore } = await import('../../src/store/store.ts');
  await (await openStore({ db: process.argv[2] })).close();
}
