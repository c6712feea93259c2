import { expect, it } from 'vitest';
import { entryOf } from '../../../src/domain/items.ts';
import { ToolRunner } from '../../../src/mcp/tool-runner.ts';
import type { OperationArguments } from '../../../src/operation/arguments/operation-arguments.ts';
import type { OperationRunner } from '../../../src/operation/operation-runner.ts';
import { DECLINED } from '../../../src/operation/question.ts';
import { operationsByName } from '../../../tools/index.ts';
import { FARM_NOW, HOUR } from '../../farm.ts';

const probe = (id: number, name: string) => ({
  id,
  name,
  uid: name,
  parcelId: 5,
  category: 'SOIL_PROBE',
});
const DIRECTORY = {
  modules: async () => [probe(1, 'North 1'), probe(2, 'North 2')],
  parcels: async () => [{ id: 5, name: 'North block', type: null }],
};

/** Returns the arguments once the person has chosen, an hour after the call was sent. */
async function chosenArguments(
  tool: string,
  args: Record<string, unknown>,
  choice: RegExp,
): Promise<OperationArguments> {
  let now = FARM_NOW - HOUR;
  const read: OperationArguments[] = [];
  const runner = {
    personLang: async () => 'en',
    async run(_operation, request) {
      now += HOUR;
      const operationArguments = await request.readArguments({
        zone: 'Europe/Paris',
        countryCode: null,
        units: 'metric',
        now,
        lang: 'en',
        directory: DIRECTORY,
        runRead: () => Promise.reject(new Error('read')),
      });
      read.push(operationArguments);
      // An answer that is repeated is not followed up.
      return { isReplay: true };
    },
  } as Pick<OperationRunner, 'personLang' | 'run'> as OperationRunner;

  await new ToolRunner(runner, async () => '').call(entryOf(operationsByName, tool), args, {
    askPerson: async ({ schema }) =>
      ('enum' in schema && schema.enum?.find((label) => choice.test(label))) || DECLINED,
  });
  expect(now).toBe(FARM_NOW + HOUR);
  expect(read).toHaveLength(1);
  return read[0]!;
}

it.each([
  [/North 2/, { moduleId: 2 }],
  [/North block/, { parcelId: 5 }],
])(
  'reads times as of when the call was sent, though the person took an hour to choose %s',
  async (choice, chosen) => {
    const args = { module: 'North block', startedAt: '2 hours ago', durationMin: 45 };
    const { input } = await chosenArguments('log_watering', args, choice);
    expect(input).toMatchObject({ ...chosen, startedAt: FARM_NOW - 2 * HOUR });
    expect(input).not.toMatchObject({ moduleId: 'North block' });
  },
);
