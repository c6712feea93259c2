import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { openStore } from '../../src/store/store.ts';
import { toolsByName } from '../../tools/index.ts';
import { afterFile } from '../cleanup.ts';
import { folderForFile } from '../temporary-places.ts';
import { firstText, type Json } from '../tool-results.ts';
import { callDemoFarm, makeDemoFarm } from './demo-calls.ts';
import { toolsOf } from './local-tools.ts';

/** What nobody can read aloud, or what means nothing to a grower. */
const UNSPEAKABLE: Readonly<Record<string, RegExp>> = {
  'a name of a tool or field': /\b[a-z]+(_[a-z]+)+\b/,
  'an argument': /\b(?!kPa|dBm|pH)[a-z]+[A-Z][a-z]\w*/,
  'a code': /\b[A-Z]{2,}_[A-Z_]+\b/,
  'an instant in ISO 8601': /\d{4}-\d{2}-\d{2}/,
  UTC: /\bUTC\b/,
  'a command': /\bacequia /,
  'a cursor': /\bcursor\b/,
  'a number of a row':
    /#\d|\b(watering|schedule|record|version|alert|change|module|parcel|probe) \d/i,
};

const TIME_ZONE = /\b[A-Z]\w+\/[A-Z]\w+\b/g;

function faultsIn(summary: string, structured: Json): string[] {
  const text = summary.replace(TIME_ZONE, '');
  const faults = Object.entries(UNSPEAKABLE).flatMap(([fault, pattern]) => {
    const found = pattern.exec(text);
    return found === null ? [] : [`${fault}: ${found[0]}`];
  });
  const ids = idsIn(structured).filter((id) => text.includes(id));
  return [...faults, ...ids.map((id) => `an id: ${id}`)];
}

const idsIn = (value: Json): string[] => [
  ...new Set(
    JSON.stringify(value ?? {}).match(/\b7\d{5}\b|\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g),
  ),
];

it.each(LANGS)('every summary on the demo farm can be read aloud (%s)', async (lang) => {
  const db = `${await folderForFile()}/demo.db`;
  await makeDemoFarm(db);
  const store = await openStore({ db });
  afterFile(() => store.close());
  const tools = toolsOf(store, { lang });
  const answered = new Set<string>();
  const faults: string[] = [];

  await callDemoFarm(async (name, args) => {
    const result: CallToolResult = await tools(name, args);
    if (result.isError) return result;

    answered.add(name);
    const summary = firstText(result);
    const found = faultsIn(summary, result.structuredContent);
    if (found.length > 0) faults.push(`${name}: ${found.join(', ')}\n    ${summary}`);
    return result;
  });

  expect(faults).toEqual([]);
  const forModels = [...toolsByName.values()].filter(({ page }) => page?.audience !== 'app-only');
  expect(forModels.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([]);
});
