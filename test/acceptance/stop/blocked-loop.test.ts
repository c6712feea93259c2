import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { blockLoop, LASTING_PROGRAMS } from './blocked-program.ts';

it.each(['serve', 'mcp'])('two signals end %s while its event loop is blocked', async (name) => {
  const program = await LASTING_PROGRAMS[name]!();
  await blockLoop(program);

  program.child.kill('SIGTERM');
  await pause(200);
  program.child.kill('SIGTERM');

  // An event loop that is free again would end it with an exit code.
  const { code, signal, stderr } = await program.ended;
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
  expect(stderr).toContain('"msg":"ended by force"');
});
