import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { blockLoop, LASTING_PROGRAMS } from './blocked-program.ts';

describe.each(Object.keys(LASTING_PROGRAMS))('%s whose event loop is blocked', (name) => {
  it('is ended within 10 s of a signal', async () => {
    const program = await LASTING_PROGRAMS[name]!();
    await blockLoop(program);
    const sentAt = performance.now();
    program.child.kill('SIGTERM');
    expect((await program.ended).signal).toBe('SIGKILL');
    expect(performance.now() - sentAt).toBeLessThan(10_000);
  });

  it('is ended within 0.5 s of a second signal', async () => {
    const program = await LASTING_PROGRAMS[name]!();
    await blockLoop(program);
    program.child.kill('SIGTERM');
    await pause(500);
    const sentAt = performance.now();
    program.child.kill('SIGTERM');
    expect((await program.ended).signal).toBe('SIGKILL');
    expect(performance.now() - sentAt).toBeLessThan(500);
  });
});
