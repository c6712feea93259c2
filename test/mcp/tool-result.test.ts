import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../src/domain/items.ts';
import { exact } from '../../src/domain/text/figures.ts';
import { argument, aside } from '../../src/domain/text/program-names.ts';
import { say } from '../../src/domain/text/say.ts';
import { mapTexts, singleLine, visibleText } from '../../src/domain/text.ts';
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
        _meta: { 'acequia/error': { ...rest, ...(hint && { hint }) } },
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
    expect(toolError(error).content).toEqual([
      { type: 'text', text: 'The duration 0 is not valid: it must be at least 1.' },
      {
        type: 'text',
        text: 'INVALID_DURATION: durationMin 0 is not valid: it must be at least 1. Ask for it.',
      },
    ]);
  });
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
