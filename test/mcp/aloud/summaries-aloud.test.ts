import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../../src/domain/lang.ts';
import { openStore } from '../../../src/store/store.ts';
import { toolsByName } from '../../../tools/index.ts';
import { isDeepRun } from '../../property-runs.ts';
import { recordingTo } from '../../recorded/recorded-answer.ts';
import { expectRecorded } from '../../recorded/recording.ts';
import { firstText, type Json, refusalOf } from '../../tool-results.ts';
import { type CallTool, toolsOf } from '../local-tools.ts';
import { callDemoFarm, makePlainWrites, newDemoFarm } from './demo-calls.ts';
import { REFUSED_CALLS } from './refused-calls.ts';

/** Matches what nobody can read aloud, or what means nothing to a grower. */
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
const TEXT_OF_PERSON = /"[^"]*"/g;
const TIME_ZONE = /\b[A-Z]\w+\/[A-Z]\w+\b/g;

function faultsIn(summary: string, structured: Json): string[] {
  const text = summary.replace(TIME_ZONE, '').replace(LINK, '').replace(TEXT_OF_PERSON, '""');
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

/** Words of the other languages stand in few summaries. */
const TRIED_LANGS = isDeepRun ? LANGS : (['en'] as const);

describe('a summary on the demo farm', () => {
  it.each(TRIED_LANGS)('can be read aloud (%s)', async (lang) => {
    const answered = new Set<string>();
    const faults: string[] = [];
    const said: Record<string, Json> = {};
    const makeCalls = (call: CallTool) => callDemoFarm(recordingTo(said, 'call ', call));
    await onDemoFarm(lang, makeCalls, (tool, result) => {
      answered.add(tool);
      const summary = firstText(result);
      const found = faultsIn(summary, result.structuredContent);
      if (found.length > 0) faults.push(`${tool}: ${found.join(', ')}: ${summary}`);
    });

    expect(faults).toEqual([]);
    const forModels = [...toolsByName.values()].filter(({ page }) => page?.audience !== 'app-only');
    expect(forModels.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([]);
    if (lang === 'en') await expectRecorded('demo-answers', said, 'call ');
  });

  it('has at most 40 words after a plain write', async () => {
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

  it('has at most 110 words in the brief, without methods', async () => {
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

describe('a refusal on the demo farm', () => {
  it.each(TRIED_LANGS)('can be read aloud (%s)', async (lang) => {
    const store = await openStore({ db: await newDemoFarm() });
    try {
      const said: Record<string, Json> = {};
      const call = recordingTo(said, 'refusal ', toolsOf(store, { lang }));
      for (const [tool, args, spoken] of REFUSED_CALLS) {
        const result = await call(tool, args);
        const { code, hint = '' } = refusalOf(result);
        expect(firstText(result)).toMatch(typeof spoken === 'string' ? exactly(spoken) : spoken);
        expect([tool, args, faultsIn(firstText(result), refusalOf(result))]).toEqual([
          tool,
          args,
          [],
        ]);
        // What a model needs stands apart from the sentence.
        expect(result.content).toHaveLength(2);
        const { text } = result.content[1] as { text: string };
        expect([text.startsWith(`${code}:`), text.endsWith(hint)]).toEqual([true, true]);
      }
      if (lang === 'en') await expectRecorded('demo-answers', said, 'refusal ');
    } finally {
      await store.close();
    }
  });

  it('can be read aloud if writing is off, or a key is used again', async () => {
    const store = await openStore({ db: await newDemoFarm() });
    try {
      const readOnly = { toolsets: null, isReadOnly: true };
      const log = (durationMin: number, call: CallTool) =>
        call('log_watering', {
          module: 'North 1',
          startedAt: 'today 06:00',
          durationMin,
          idempotencyKey: 'morning',
        });
      expect(firstText(await log(40, toolsOf(store, { toolFilter: readOnly })))).toBe(
        'Nothing can be written, because Acequia was started for reading alone.',
      );
      await log(40, toolsOf(store));
      expect(firstText(await log(45, toolsOf(store)))).toBe(
        'Already logged today 12:00, for today 06:00 to 06:40: 1 watering added (North 1, today 06:00). ' +
          'If this call means the same, there is nothing to do: this key against double entries was used for it, with other arguments.',
      );
    } finally {
      await store.close();
    }
  });
});

const exactly = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
