import { describe, expect, it } from 'vitest';
import type { CallOperation } from '../../src/operation/operation.ts';
import { memoizedParts } from '../../src/operation/parts.ts';

const part = (name: string) => ({ name }) as CallOperation;

describe('the parts of a composed call', () => {
  it('each run once for the same fields', async () => {
    const runs: string[] = [];
    const run = memoizedParts(async ({ name }, fields) => {
      runs.push(`${name} ${JSON.stringify(fields)}`);
      return { name, fields };
    });
    const answers = [
      await run(part('get_agronomic_state'), { moduleId: 1 }),
      await run(part('get_agronomic_state'), { moduleId: 1 }),
    ];
    expect(answers[0]).toBe(answers[1]);
    await run(part('get_agronomic_state'), { moduleId: 2 });
    await run(part('get_module'), { moduleId: 1 });
    expect(runs).toEqual([
      'get_agronomic_state {"moduleId":1}',
      'get_agronomic_state {"moduleId":2}',
      'get_module {"moduleId":1}',
    ]);
  });

  it('are forgotten after some others, so that a large farm is not held in memory', async () => {
    let runs = 0;
    const run = memoizedParts(async () => ++runs);
    for (let moduleId = 1; moduleId <= 1000; moduleId++)
      await run(part('get_module'), { moduleId });
    expect(await run(part('get_module'), { moduleId: 1000 })).toBe(1000);
    expect(await run(part('get_module'), { moduleId: 1 })).toBe(1001);
  });

  it('share a refusal too', async () => {
    const run = memoizedParts(() => Promise.reject(new Error('never commissioned')));
    for (const _ of [1, 2])
      await expect(run(part('get_module'), { moduleId: 1 })).rejects.toThrow('never');
  });
});
