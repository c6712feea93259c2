import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { EncryptJWT, jwtDecrypt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  type CallRound,
  openRound,
  type StateSealing,
} from '../../../src/mcp/questions/call-rounds.ts';
import { DECLINED, UnansweredQuestion } from '../../../src/operation/question.ts';

const SEALING: StateSealing = { secret: randomBytes(32).toString('base64url'), owner: '1 key-7' };
const CALL = {
  tool: 'log_watering',
  args: { module: 'North', durationMin: 45 },
  writesBeforeAsking: true,
};
const WHICH = { name: 'module', message: 'Which one?', schema: { type: 'string' } } as const;
const FLOW = { name: 'flowMmPerH', message: 'How much?', schema: { type: 'number' } } as const;
const KEY = Buffer.from(SEALING.secret, 'base64url');

const open = (
  round: Partial<CallRound> = {},
  { call = CALL, sealing = SEALING }: { call?: object; sealing?: StateSealing } = {},
) =>
  openRound(
    { hasForms: true, requestState: undefined, inputResponses: {}, ...round },
    call as typeof CALL,
    async () => sealing,
  );

const accept = (content: Record<string, unknown>) => ({ action: 'accept', content });

/** The state of a call that has asked the question. */
const stateAfter = async (question: typeof WHICH | typeof FLOW, round: Partial<CallRound> = {}) =>
  (await (await open(round)).endWith(question)).requestState;

const answerTo = async (question: typeof WHICH | typeof FLOW, round: Partial<CallRound>) =>
  (await open(round)).askPerson!(question);

describe('a call without a state', () => {
  it('ends with its question, for a client with forms', async () => {
    const round = await open();
    expect(await round.askPerson!(WHICH)).toStrictEqual(new UnansweredQuestion(WHICH));
    expect(round.isRepeated).toBe(false);
    expect(await round.endWith(WHICH)).toEqual({
      resultType: 'input_required',
      inputRequests: {
        module: {
          method: 'elicitation/create',
          params: {
            message: 'Which one?',
            requestedSchema: {
              type: 'object',
              properties: { module: { type: 'string' } },
              required: ['module'],
            },
          },
        },
      },
      requestState: expect.any(String),
    });
  });

  it('asks nobody else', async () => {
    expect((await open({ hasForms: false })).askPerson).toBeUndefined();
  });

  it('uses no answers to questions that were not asked', async () => {
    const inputResponses = { module: accept({ module: 'North 2' }) };
    expect(await answerTo(WHICH, { inputResponses })).toStrictEqual(new UnansweredQuestion(WHICH));
  });
});

describe('a repeated call', () => {
  it('has the answers of all rounds, and the same key for what it writes', async () => {
    const first = await open();
    const { requestState } = await first.endWith(WHICH);
    const second = await open({
      requestState,
      inputResponses: { module: accept({ module: 'North 2 (#2)' }) },
    });
    expect(await second.askPerson!(WHICH)).toBe('North 2 (#2)');
    expect(await second.askPerson!(FLOW)).toStrictEqual(new UnansweredQuestion(FLOW));
    const { requestState: later } = await second.endWith(FLOW);
    const third = await open({
      requestState: later,
      inputResponses: { flowMmPerH: accept({ flowMmPerH: '4,5' }) },
    });
    expect([await third.askPerson!(WHICH), await third.askPerson!(FLOW)]).toEqual([
      'North 2 (#2)',
      '4,5',
    ]);
    expect([second.writeKey, third.writeKey]).toEqual([first.writeKey, first.writeKey]);
    expect((await open()).writeKey).not.toBe(first.writeKey);
  });

  it.each(['decline', 'cancel'])('asks nothing again after a %s', async (action) => {
    const requestState = await stateAfter(WHICH);
    const inputResponses = { module: { action } };
    expect(await answerTo(WHICH, { requestState, inputResponses })).toBe(DECLINED);
  });

  it.each([
    accept({}),
    { action: 'accept' },
    accept({ module: [1] }),
    { action: 'accept', content: null },
    { action: 'shrug' },
    {},
    'North 2',
    [],
    null,
  ])('asks nothing again after %j, which is no answer', async (response) => {
    const requestState = await stateAfter(WHICH);
    expect(
      await answerTo(WHICH, { requestState, inputResponses: { module: response } }),
    ).toBeNull();
  });

  it.each([{}, { flowMmPerH: accept({ flowMmPerH: 4 }) }])(
    'asks again if its question was not answered: %j',
    async (inputResponses) => {
      const requestState = await stateAfter(WHICH);
      const answer = await answerTo(WHICH, { requestState, inputResponses });
      expect(answer).toStrictEqual(new UnansweredQuestion(WHICH));
    },
  );

  it('asks again if the question is another one by now', async () => {
    const requestState = await stateAfter(WHICH);
    const inputResponses = { module: accept({ module: 'North 2' }) };
    const changed = { ...WHICH, message: 'Which one of three?' } as unknown as typeof WHICH;
    const answer = await answerTo(changed, { requestState, inputResponses });
    expect(answer).toStrictEqual(new UnansweredQuestion(changed));
  });
});

describe('a state is refused', () => {
  const refusal = {
    code: 'invalid_request_state',
    hint: expect.stringContaining('without requestState'),
  };

  it.each([
    ['arguments', { call: { ...CALL, args: { ...CALL.args, durationMin: 46 } } }],
    ['tool', { call: { ...CALL, tool: 'create_alert' } }],
    ['caller', { sealing: { ...SEALING, owner: '1 key-8' } }],
    ['company', { sealing: { ...SEALING, owner: '2 key-7' } }],
    ['store', { sealing: { ...SEALING, secret: randomBytes(32).toString('base64url') } }],
  ])('for another %s', async (_, other) => {
    const requestState = await stateAfter(WHICH);
    await expect(open({ requestState }, other)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining('does not belong to this call'),
    });
  });

  it.each([true, false])(
    'with a look at the waterings first only where one may be recorded (%s)',
    async (writesBeforeAsking) => {
      const { hint } = await open(
        { requestState: 'x' },
        { call: { ...CALL, writesBeforeAsking } },
      ).catch((error) => error);
      expect(hint).toContain('without requestState');
      expect(hint.includes('list_waterings')).toBe(writesBeforeAsking);
    },
  );

  it('after ten minutes, which it says', async () => {
    const { payload } = await jwtDecrypt(await stateAfter(WHICH), KEY);
    const sealed = (expiresAt: number) =>
      new EncryptJWT(payload)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(expiresAt)
        .encrypt(KEY);
    const now = Math.floor(Date.now() / 1000);
    expect(payload.exp! - now).toBeGreaterThan(595);
    expect(payload.exp! - now).toBeLessThanOrEqual(600);
    expect((await open({ requestState: await sealed(now + 60) })).isRepeated).toBe(true);
    await expect(open({ requestState: await sealed(now - 1) })).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining('10 minutes'),
    });
  });

  it('if another key or no key sealed it', async () => {
    const { payload } = await jwtDecrypt(await stateAfter(WHICH), KEY);
    const forged = [
      await new EncryptJWT(payload)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(randomBytes(32)),
      await new EncryptJWT({ ...payload, exp: undefined })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(KEY),
      await new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(KEY),
      new UnsecuredJWT(payload).encode(),
    ];
    for (const requestState of forged)
      await expect(open({ requestState })).rejects.toMatchObject(refusal);
  });

  it('if any of its characters was changed, or it is any other text', async () => {
    const requestState = await stateAfter(WHICH);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: requestState.length - 2 }),
        fc.constantFrom('A', '_', '.', ' '),
        async (at, by) => {
          // Of the last character of a part, some bits carry nothing.
          fc.pre(requestState[at] !== by && requestState[at + 1] !== '.');
          const altered = requestState.slice(0, at) + by + requestState.slice(at + 1);
          await expect(open({ requestState: altered })).rejects.toMatchObject(refusal);
        },
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        await expect(open({ requestState: text })).rejects.toMatchObject(refusal);
      }),
    );
  });

  it('and shows its content to nobody', async () => {
    const requestState = await stateAfter(FLOW, {
      requestState: await stateAfter(WHICH),
      inputResponses: { module: accept({ module: 'secret block' }) },
    });
    const parts = requestState
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(parts.join()).not.toContain('secret block');
  });
});
