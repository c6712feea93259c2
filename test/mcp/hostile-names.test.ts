import { expect, it } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { recordedAnswer } from '../recorded/recorded-answer.ts';
import { withoutRandomness } from '../recorded/recording.ts';
import { newEmptyStore } from '../stores/template-stores.ts';
import { bodyOf, type Json } from '../tool-results.ts';
import { callEveryTool } from './every-tool-call.ts';
import { toolsOf } from './local-tools.ts';
import {
  harmless,
  hostile,
  importRenamedFarm,
  NAMES,
  type Rename,
  renamed,
  withHostileNames,
} from './renamed-farm.ts';

/** All that the tools say of a farm; a picture by its texts alone, because its names are drawn. */
async function saidOf(rename: Rename): Promise<readonly string[]> {
  const { db, remove } = await newEmptyStore();
  await importRenamedFarm(db, 'us', rename);
  const store = await openStore({ db });
  try {
    const call = toolsOf(store);
    const said: string[] = [];
    await callEveryTool(async (name, args = {}): Promise<Json> => {
      const result = await call(name, renamed(args, rename));
      const { picture: _, ...answer } = withoutRandomness(recordedAnswer(result));
      said.push(`${name} ${JSON.stringify(answer)}`);
      return bodyOf(result);
    });
    return said;
  } finally {
    await store.close();
    await remove();
  }
}

it('never converts names that read as something else, nor takes them for calls', async () => {
  const said = await saidOf(hostile);
  const expected = (await saidOf(harmless)).map(withHostileNames);
  expect(said.length).toBeGreaterThan(100);
  for (const [name] of Object.values(NAMES)) expect(said.join(' ')).toContain(name);
  expect(said).toEqual(expected);
});
