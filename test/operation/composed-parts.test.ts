import { describe, expect, it } from 'vitest';
import type { CallOperation } from '../../src/operation/operation.ts';
import { memoizedParts } from '../../src/operation/performer.ts';

const part = (name: string) => ({ name }) as CallOperation;

describe('the parts of a composed call', () => {
  it('are each performed once for the same fields', async () => {
    const performed: string[] = [];
    const perform = memoizedParts(async ({ name }, fields) => {
      performed.push(`${name} ${JSON.stringify(fields)}`);
      return { name, fields };
    });
    const answers = [
      await perform(part('get_agronomic_state'), { moduleId: 1 }),
      await perform(part('get_agronomic_state'), { moduleId: 1 }),
    ];
    expect(answers[0]).toBe(answers[1]);
    await perform(part('get_agronomic_state'), { moduleId: 2 });
    await perform(part('get_module'), { moduleId: 1 });
    expect(performed).toEqual([
      'get_agronomic_state {"moduleId":1}',
      'get_agronomic_state {"moduleId":2}',
      'get_module {"moduleId":1}',
    ]);
  });

  it('are forgotten after some others, so that a large farm is not held in memory', async () => {
    let performed = 0;
    const perform = memoizedParts(async () => ++performed);
    for (let moduleId = 1; moduleId <= 1000; moduleId++)
      await perform(part('get_module'), { moduleId });
    expect(await perform(part('get_module'), { moduleId: 1000 })).toBe(1000);
    expect(await perform(part('get_module'), { moduleId: 1 })).toBe(1001);
  });

  it('share a refusal too', async () => {
    const perform = memoizedParts(() => Promise.reject(new Error('never commissioned')));
    for (const _ of [1, 2])
      await expect(perform(part('get_module'), { moduleId: 1 })).rejects.toThrow('never');
  });
});
