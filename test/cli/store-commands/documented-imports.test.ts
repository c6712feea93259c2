import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import type { IngestResult } from '../../../src/schema/ingest/ingest-batch.ts';
import { it as base } from '../../farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';

const page = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');

const sampleFarm = async (): Promise<string> =>
  /```json\n([\s\S]*?)```/.exec(await page('import.md'))![1]!;

const it = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures from the pattern.
  folder: async ({}, use) => {
    const folder = await newFolder();
    await writeFile(join(folder, 'farm.json'), await sampleFarm());
    await use(folder);
  },
});

/** Returns the command of the page that imports this file, with what it printed. */
async function printedImport(file: string) {
  const found = new RegExp(`^\\$ acequia (import .*${file})\\n([\\s\\S]*?)^\`\`\``, 'm').exec(
    await page('import.md'),
  );
  const [, command = '', output = ''] = found!;
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word!,
  );
  return { words, output };
}

const zentraExport = async (): Promise<string> => {
  const file = new URL('./exports/zentra.csv', import.meta.url);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  // Time and Port1 to Port2.
  return lines.map((line) => line.split(',').slice(0, 6).join(',')).join('\n');
};

describe('the examples of docs/import.md', () => {
  it.for([
    [
      'export.csv',
      () =>
        'Date;Heure;Humidité sol 10 cm (%);VWC 30cm (m³/m³);Pluie\n' +
        '29/06/2026;6:00;23,4;0,251;0\n29/06/2026;6:15;23,3;0,250;0\n',
    ],
    ['z6-30302.csv', zentraExport],
  ] as const)(
    'print what stands there, into its sample farm: %s',
    async ([file, content], { folder }) => {
      await writeFile(join(folder, file), await content());
      const run = (words: readonly string[]) =>
        runInProcess([...words, '--db', 'a.db', '--clock', '2026-07-01T08:00:00Z'], {
          cwd: folder,
        });
      expect(await run(['import', 'farm.json'])).toMatchObject({ code: 0 });
      const { words, output } = await printedImport(file);
      const { code, stdout } = await run(words);
      // The page leaves out some lines.
      const shown = output.split('\n').filter((line) => line !== '  …');
      const isShortened = output.includes('\n  …\n');
      const printed = stdout.split('\n').filter((line) => !isShortened || shown.includes(line));
      expect([code, printed]).toEqual([0, shown]);
    },
  );
});

describe('the batch of docs/ingest.md', () => {
  it('is stored whole in the sample farm', async ({ farm }) => {
    const { gateways, modules } = JSON.parse(await sampleFarm());
    const [probe, mast] = modules;
    // The farm of the tests has a North 1 and a mast.
    expect(mast).toMatchObject({ name: 'Mast', category: 'WEATHER_STATION' });
    await farm.importFile({ gateways, modules: [{ ...probe, name: 'Sample' }] });
    const [, batch] = /--data '(\{[\s\S]*?\n\})'/.exec(await page('ingest.md'))!;
    const stored = await farm.wire<IngestResult>('ingest', JSON.parse(batch!));
    expect(stored.reasons).toEqual([]);
    expect(stored).toMatchObject({
      readings: { written: 2, refused: 0 },
      rain: { written: 1, refused: 0 },
      gateways: { refused: 0 },
    });
  });
});
