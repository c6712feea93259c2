import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../src/domain/items.ts';
import { mapTexts, singleLine, visibleText } from '../../src/domain/strings.ts';
import { amount, exact } from '../../src/domain/text/figures.ts';
import { argument, aside, code, description } from '../../src/domain/text/program-names.ts';
import { list, name, say } from '../../src/domain/text/say.ts';
import { clock, timeOf } from '../../src/domain/text/times.ts';
import { UNKNOWN_READER } from '../../src/language/refusal-reader.ts';
import { renderedText } from '../../src/language/text/rendered-text.ts';
import { toolError, toolResult } from '../../src/mcp/tool-result.ts';
import { argumentWordsOf } from '../../src/operation/arguments/argument-words.ts';
import { AcequiaError, plainError } from '../../src/schema/error.ts';
import { operationsByName } from '../../tools/index.ts';

const getCompany = operationsByName.get('get_company')!;
const answer = {
  next: [],
  advisories: [],
  isReplay: false,
  fullBody: null,
};
const text = fc.string({ unit: 'binary' });

const answerText = (summary: string, ...next: readonly string[]) => ({
  summary: renderedText(summary),
  next: next.map(renderedText),
});

describe('the result of a tool', () => {
  it('says first that it is a replay, and marks it beside the body', () => {
    const replayText = answerText('Already done:', 'this call again');
    const replay = { ...answer, body: { id: 1 }, ...answerText('Done.', 'undo'), replayText };
    expect(toolResult(getCompany, { ...replay, isReplay: true })).toMatchObject({
      content: [{ text: 'Already done: Done.' }, { text: 'Next: this call again; undo' }, {}],
      structuredContent: { summary: 'Already done: Done.', replayed: true, id: 1 },
    });
    expect(toolResult(getCompany, replay).structuredContent).toEqual({
      summary: 'Done.',
      next: 'undo',
      id: 1,
    });
  });

  it('is complete as text and as structured content', () => {
    const bodies = fc.dictionary(
      text.filter((name) => name !== 'summary' && name !== 'next' && name !== '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(text, fc.uniqueArray(text), bodies, (summary, next, body) => {
        const { content, ...rest } = toolResult(getCompany, {
          ...answer,
          body,
          ...answerText(summary, ...next),
        });
        // As JSON carries it: -0 is 0 there.
        const visible = mapTexts(JSON.parse(JSON.stringify(body)), visibleText) as object;
        const calls = singleLine(next.join('; '));
        const nextField = calls === '' ? {} : { next: calls };
        expect(rest).toEqual({
          structuredContent: { summary: singleLine(summary), ...nextField, ...visible },
        });
        const texts = [
          singleLine(summary),
          ...Object.values(nextField).map((each) => `Next: ${each}`),
          JSON.stringify(rest.structuredContent),
        ];
        expect(content).toEqual(texts.map((each) => ({ type: 'text', text: each })));
      }),
    );
  });

  it('is a text and a picture without structured content for an operation that draws', () => {
    const picture = { data: new Uint8Array([1, 2, 3]), mimeType: 'image/png' } as const;
    expect(
      toolResult(getCompany, { ...answer, body: {}, ...answerText('A curve.'), picture }),
    ).toEqual({
      content: [
        { type: 'text', text: 'A curve.' },
        { type: 'image', data: 'AQID', mimeType: 'image/png' },
      ],
    });
  });

  it('says nothing of rows left out where a picture replaces them', () => {
    const picture = { data: new Uint8Array([1, 2, 3]), mimeType: 'image/png' } as const;
    const body = { points: Array.from({ length: 5000 }, (_, index) => ({ index })) };
    const { content } = toolResult(getCompany, {
      ...answer,
      body,
      ...answerText('A curve.'),
      picture,
    });
    expect(content[0]).toEqual({ type: 'text', text: 'A curve.' });
  });

  it.each([
    ['create_parcel_alerts', 'update_alert(threshold)'],
    ['list_waterings', expect.stringMatching(/^this call again with limit: \d+, then with cursor/)],
  ])(
    'of %s says how to read the rows that are left out, and of a write what comes next',
    (tool, next) => {
      const rows = Array.from({ length: 5000 }, (_, index) => ({ index }));
      const { structuredContent } = toolResult(entryOf(operationsByName, tool), {
        ...answer,
        body: { data: rows, next_cursor: 'c' },
        ...answerText('Done.', 'update_alert(threshold)'),
      });
      expect(structuredContent).toMatchObject({
        summary: expect.stringMatching(/^Done[.] Only the first \d+ of these 5000 rows are given/),
        next,
      });
    },
  );

  it('is text alone for an error: a sentence to read aloud, then the code with the hint', () => {
    const problem = {
      code: 'not_found',
      status: 404,
      message: 'There is no probe.',
      hint: 'List them.',
    };
    for (const { hint, ...rest } of [problem, { ...problem, hint: undefined }])
      expect(toolError(plainError({ ...rest, hint }))).toEqual({
        isError: true,
        content: [
          { type: 'text', text: 'There is no probe.' },
          { type: 'text', text: `not_found:${hint ? ` ${hint}` : ''}` },
        ],
        _meta: { 'acequia/error': { ...rest, ...(hint ? { hint } : {}) } },
      });
  });

  it('repeats the message of an error beside its code where arguments stand in it', () => {
    const error = new AcequiaError({
      code: 'INVALID_DURATION',
      status: 400,
      message: say`${argument('durationMin')} 0 is not valid: it must be at least 1.`,
      hint: say`Ask for it.`,
      field: 'durationMin',
    });
    const argumentWords = argumentWordsOf(entryOf(operationsByName, 'log_watering'));
    expect(toolError(error, { ...UNKNOWN_READER, argumentWords }).content).toEqual([
      { type: 'text', text: 'The duration 0 is not valid: it must be at least 1.' },
      {
        type: 'text',
        text: 'INVALID_DURATION: durationMin 0 is not valid: it must be at least 1. Ask for it.',
      },
    ]);
  });
});

it('gives a model the times of a refusal in the zone of the farm', () => {
  const refusal = new AcequiaError({
    code: 'EFFECTIVE_FROM_IN_FUTURE',
    status: 400,
    message: say`${argument('effectiveFrom')} ${timeOf('2026-12-31T23:00:00Z')} is in the future.`,
    hint: say`Not before ${timeOf('2026-07-01T04:00:00.250Z')}.`,
  });
  const reader = { now: Date.UTC(2026, 6), zone: 'Europe/Paris', units: 'metric' } as const;
  const message = 'effectiveFrom 2027-01-01T00:00:00+01:00 is in the future.';
  const hint = 'Not before 2026-07-01T06:00:00+02:00.';
  expect(toolError(refusal, reader)).toMatchObject({
    content: [
      { text: 'EffectiveFrom 1 Jan 2027 00:00 is in the future.' },
      { text: `EFFECTIVE_FROM_IN_FUTURE: ${message} ${hint}` },
    ],
    _meta: { 'acequia/error': { message, hint } },
  });
  expect(refusal.message).toBe('effectiveFrom 2026-12-31T23:00:00.000Z is in the future.');
});

it.each([
  [say`It lacks ${name('North 1')}, at ${exact(15, 'cm')} and ${clock('06:00')}.`, false],
  [say`It is ${description(say`40 min`, '40 minutes')} of ${code('drip')}.`, false],
  [say`It is a ${code('micro_sprinkler')}.`, true],
  [say`It lacks ${list([say`${argument('module')}`])}.`, true],
  [say`It lacks ${amount(12.34, 'mm')}.`, true],
  [say`It lacks it since ${timeOf(0)}.`, true],
])('repeats a message with more than people hear beside the code: %#', (message, isRepeated) => {
  const refusal = new AcequiaError({ code: 'CODE', status: 400, message });
  const { content } = toolError(refusal, { now: 0, zone: 'UTC', units: 'metric' });
  expect(content.length).toBe(2);
  const isAlone = JSON.stringify(content[1]) === '{"type":"text","text":"CODE:"}';
  expect(!isAlone).toBe(isRepeated);
});

it('gives the quantities of a refusal in the units of the farm, beside names of arguments', () => {
  const refusal = new AcequiaError({
    code: 'TOO_DEEP',
    status: 400,
    message: say`${argument('inputDepthMm')} ${exact(127, 'mm')} is too deep${aside(say`#3`)}.`,
    hint: say`Give up to ${exact(254, 'mm')}.`,
  });
  const argumentWords = argumentWordsOf(entryOf(operationsByName, 'log_watering'));
  const reader = { now: 0, zone: 'Europe/Paris', units: 'us', argumentWords } as const;
  const message = 'inputDepthMm 5 in (127 mm) is too deep (#3).';
  const hint = 'Give up to 10 in (254 mm).';
  expect(toolError(refusal, reader)).toMatchObject({
    content: [
      { text: 'The depth of water 5 in (127 mm) is too deep.' },
      { text: `TOO_DEEP: ${message} ${hint}` },
    ],
    _meta: { 'acequia/error': { message, hint } },
  });
  expect(refusal.message).toBe('inputDepthMm 127 mm is too deep (#3).');
});

it('has the words of a refusal for a model too, where no farm is known', () => {
  const refusal = new AcequiaError({
    code: 'CODE',
    status: 400,
    message: say`It must be ${description(say`a name or an id`, 'a number')}, not ${timeOf(1)}.`,
  });
  const message = 'It must be a name or an id, not 1970-01-01T00:00:00Z.';
  expect(toolError(refusal)).toMatchObject({
    content: [{ text: message }, { text: `CODE: ${message}` }],
    _meta: { 'acequia/error': { message } },
  });
  expect(refusal.message).toBe('It must be a number, not 1970-01-01T00:00:00.001Z.');
});
