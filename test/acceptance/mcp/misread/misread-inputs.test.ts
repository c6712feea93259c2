import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFarmFile } from '../../../imported-data.ts';
import { newFolder } from '../../../temporary-places.ts';
import type { Json } from '../../program.ts';
import { serveStoreForTest } from '../../rest-service.ts';
import { CONNECTION_KINDS, openConnection } from '../eras/connections.ts';
import { ALERT_ROWS } from './alert-rows.ts';
import { DEVICE_ROWS } from './device-rows.ts';
import { EQUIPMENT_ROWS } from './equipment-rows.ts';
import { FARM } from './farm.ts';
import { FILE_ROWS } from './file-rows.ts';
import { NAME_ROWS } from './name-rows.ts';
import { WATERING_ROWS } from './watering-rows.ts';

/** The order matters: later rows are about what earlier ones declare. */
const ROWS = [
  ...FILE_ROWS,
  ...NAME_ROWS,
  ...EQUIPMENT_ROWS,
  ...WATERING_ROWS,
  ...ALERT_ROWS,
  ...DEVICE_ROWS,
];
const OVER_HTTP = CONNECTION_KINDS[2];

/** The summary and the next calls, or the refusal and its hint, without the structured result. */
const sentencesOf = ({ content }: Json): string =>
  content
    .map(({ text }: Json) => text)
    .filter((text: string) => !text.startsWith('{'))
    .join(' ');

it('misreads nothing of what others misread, in one session on the built program', async () => {
  const db = join(await newFolder(), 'farm.db');
  await importFarmFile(db, FARM);
  const service = await serveStoreForTest(db, '--clock', '2026-06-20T10:00:00Z');
  const key = await service.newKey();
  const { call } = await openConnection(service, OVER_HTTP);

  const wrong: string[] = [];
  for (const row of ROWS) {
    const text =
      'tool' in row
        ? sentencesOf(await call(row.tool, row.args))
        : JSON.stringify(
            (await service.request('POST', '/ingest', { key, body: row.ingest })).body,
          );
    if (!row.says.test(text)) wrong.push(`${row.what}: ${text}`);
  }
  expect(wrong).toEqual([]);
});
