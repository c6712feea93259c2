import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { openStore } from '../../src/store/store.ts';
import { toolsByName } from '../../tools/index.ts';
import { isDeepRun } from '../property-runs.ts';
import { firstText, type Json } from '../tool-results.ts';
import { callDemoFarm, makePlainWrites, newDemoFarm } from './demo-calls.ts';
import { type CallTool, toolsOf } from './local-tools.ts';

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

/** A link to sign in is shown, not said. */
const LINK = /https?:\S+/g;
const TIME_ZONE = /\b[A-Z]\w+\/[A-Z]\w+\b/g;

function faultsIn(summary: string, structured: Json): string[] {
  const text = summary.replace(TIME_ZONE, '').replace(LINK, '');
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

const wordsOf = (text: string): number => text.split(/\s+/).length;

/** Runs calls on a new demo farm, and passes on each answer. */
async function onDemoFarm(
  lang: Lang,
  makeCalls: (call: CallTool) => Promise<void>,
  take: (tool: string, result: CallToolResult) => void,
): Promise<void> {
  const store = await openStore({ db: await newDemoFarm() });
  try {
    const call = toolsOf(store, { lang });
    await makeCalls(async (tool, args) => {
      const result = await call(tool, args);
      if (!result.isError) take(tool, result);
      return result;
    });
  } finally {
    await store.close();
  }
}

const TIMEOUT_MS = 60_000;

/** Words of the other languages stand in few summaries. */
const TRIED_LANGS = isDeepRun ? LANGS : (['en'] as const);

describe('a summary on the demo farm', () => {
  it.each(TRIED_LANGS)('can be read aloud (%s)', { timeout: TIMEOUT_MS }, async (lang) => {
    const answered = new Set<string>();
    const faults: string[] = [];
    await onDemoFarm(lang, callDemoFarm, (tool, result) => {
      answered.add(tool);
      const summary = firstText(result);
      const found = faultsIn(summary, result.structuredContent);
      if (found.length > 0) faults.push(`${tool}: ${found.join(', ')}: ${summary}`);
    });

    expect(faults).toEqual([]);
    const forModels = [...toolsByName.values()].filter(({ page }) => page?.audience !== 'app-only');
    expect(forModels.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([]);
  });

  it('has at most 40 words after a plain write', { timeout: TIMEOUT_MS }, async () => {
    let writes = 0;
    const long: string[] = [];
    await onDemoFarm('en', makePlainWrites, (_, result) => {
      writes += 1;
      const summary = firstText(result);
      if (wordsOf(summary) > 40) long.push(`${wordsOf(summary)}: ${summary}`);
    });
    expect(writes).toBeGreaterThan(10);
    expect(long).toEqual([]);
  });

  it('has at most 110 words in the brief, without methods', { timeout: TIMEOUT_MS }, async () => {
    const brief = (args: object) => async (call: CallTool) => {
      await call('morning_brief', { ...args });
    };
    await onDemoFarm('en', brief({}), (_, result) => {
      expect(wordsOf(firstText(result))).toBeLessThanOrEqual(110);
      expect(firstText(result)).not.toContain('Hargreaves');
    });
    await onDemoFarm('en', brief({ detail: 'full' }), (_, result) => {
      expect(firstText(result)).toContain('Hargreaves');
    });
  });
});
