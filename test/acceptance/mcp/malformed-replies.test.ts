import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile, WATERING } from '../../base-farm.ts';
import { afterFile } from '../../cleanup.ts';
import { propertyRuns } from '../../property-runs.ts';
import { serverArguments } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { initializeRaw, type RawServer, startRawServer } from '../raw-server.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { postRound, type Round } from './http/mcp-http-client.ts';

/** Means North 1 and North 2, so the person is asked which one. */
const AMBIGUOUS = { ...WATERING, module: 'North' };

const CHOICE = { action: 'accept', content: { module: 'North 1 (#1)' } };

/** Far below the time after which the server stops to wait, and far above what an answer takes. */
const PATIENCE_MS = 20_000;

const withoutWaiting = async <T>(answer: Promise<T>): Promise<T> => {
  const late = new AbortController();
  const noAnswer = pause(PATIENCE_MS, null, { signal: late.signal }).then(() => {
    throw new Error('The call still waits for the person');
  });
  return Promise.race([answer, noAnswer]).finally(() => {
    late.abort();
    noAnswer.catch(() => undefined);
  });
};

const refusalIn = (result: Json): Json => result._meta['acequia/error'];

let db: string;
let raw: RawServer;
beforeAll(async () => {
  db = await baseFarmForFile();
  raw = await initializeRaw(startRawServer(serverArguments(db, {}), { after: afterFile }), {
    elicitation: {},
  });
});

const waterings = async (): Promise<Json[]> =>
  (await raw.answer(raw.call('list_waterings', {}))).result.structuredContent.data;

const writeMessage = (message: object): void => raw.write(`${JSON.stringify(message)}\n`);

/** The questions that the server has asked since. */
function questions(): () => Promise<Json> {
  let seen = raw.messages.length;
  return async () => {
    await expect
      .poll(() => raw.messages.slice(seen).some(({ method }) => method === 'elicitation/create'))
      .toBe(true);
    const at = raw.messages.findIndex(
      ({ method }, index) => index >= seen && method === 'elicitation/create',
    );
    seen = at + 1;
    return raw.messages[at];
  };
}

type Reply = (id: unknown) => object | string;

const REPLIES: readonly [string, Reply][] = [
  ['without a result', (id) => ({ jsonrpc: '2.0', id })],
  ['with null as result', (id) => ({ jsonrpc: '2.0', id, result: null })],
  ['with a text as result', (id) => ({ jsonrpc: '2.0', id, result: 'North 1' })],
  ['with a list as result', (id) => ({ jsonrpc: '2.0', id, result: [CHOICE] })],
  ['with an empty result', (id) => ({ jsonrpc: '2.0', id, result: {} })],
  [
    'with null as content',
    (id) => ({ jsonrpc: '2.0', id, result: { action: 'accept', content: null } }),
  ],
  ['without content', (id) => ({ jsonrpc: '2.0', id, result: { action: 'accept' } })],
  [
    'with an unknown action',
    (id) => ({ jsonrpc: '2.0', id, result: { ...CHOICE, action: 'shrug' } }),
  ],
  [
    'with another type',
    (id) => ({ jsonrpc: '2.0', id, result: { ...CHOICE, content: { module: { toString: 1 } } } }),
  ],
  [
    'with a list as content',
    (id) => ({ jsonrpc: '2.0', id, result: { action: 'accept', content: ['North 1 (#1)'] } }),
  ],
  [
    'that is an error',
    (id) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'No such method' } }),
  ],
  ['whose error is a text', (id) => ({ jsonrpc: '2.0', id, error: 'no forms here' })],
  ['whose error is empty', (id) => ({ jsonrpc: '2.0', id, error: {} })],
  [
    'with a result and an error',
    (id) => ({ jsonrpc: '2.0', id, result: CHOICE, error: { code: 1, message: 'x' } }),
  ],
  ['without jsonrpc', (id) => ({ id, result: CHOICE })],
  ['of another version', (id) => ({ jsonrpc: '1.0', id, result: CHOICE })],
  ['to an unknown id', () => ({ jsonrpc: '2.0', id: 'nobody', result: CHOICE })],
  [
    'to no id',
    () => ({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
  ],
  ['without an id', () => ({ jsonrpc: '2.0', result: CHOICE })],
  ['that is an empty object', () => ({})],
  ['that is null', () => 'null'],
  ['that is not JSON', (id) => `{"jsonrpc":"2.0","id":${id},"result":`],
  ['in an array', (id) => [{ jsonrpc: '2.0', id, result: CHOICE }]],
];

describe('over standard input and output, a reply to a form', () => {
  it.each(REPLIES.slice(0, propertyRuns(REPLIES.length)))(
    '%s ends the call, and nothing is written',
    async (_, reply) => {
      const nextQuestion = questions();
      const call = raw.call('log_watering', AMBIGUOUS);
      const { id } = await nextQuestion();
      const sent = reply(id);
      raw.write(`${typeof sent === 'string' ? sent : JSON.stringify(sent)}\n`);
      const { result } = await withoutWaiting(raw.answer(call));
      expect(refusalIn(result)).toMatchObject({
        code: 'AMBIGUOUS_NAME',
        hint: expect.stringContaining('#1'),
      });
      expect(await waterings()).toEqual([]);

      // The right reply comes late: the call has ended, and no other call takes it for its own.
      const next = raw.call('log_watering', AMBIGUOUS);
      const { id: nextId } = await nextQuestion();
      writeMessage({ jsonrpc: '2.0', id, result: CHOICE });
      expect(await waterings()).toEqual([]);
      writeMessage({ jsonrpc: '2.0', id: nextId, result: { action: 'decline' } });
      expect(refusalIn((await withoutWaiting(raw.answer(next))).result)).toMatchObject({
        code: 'NOT_CONFIRMED',
      });
      expect(await waterings()).toEqual([]);
    },
  );

  it('that is malformed leaves other questions open, if it says which one it is to', async () => {
    const nextQuestion = questions();
    const [first, second] = [
      raw.call('get_module', { module: 'North' }),
      raw.call('get_module', { module: 'North' }),
    ];
    const asked = [await nextQuestion(), await nextQuestion()];
    writeMessage({ jsonrpc: '2.0', id: asked[0].id });
    const ended = await withoutWaiting(
      Promise.race([first, second].map((each) => raw.answer(each))),
    );
    expect(refusalIn(ended.result)).toMatchObject({ code: 'AMBIGUOUS_NAME' });
    writeMessage({ jsonrpc: '2.0', id: asked[1].id, result: CHOICE });
    const answers = await withoutWaiting(
      Promise.all([first, second].map((each) => raw.answer(each))),
    );
    expect(answers.filter(({ result }) => result.isError !== true)).toHaveLength(1);
  });

  it('blank lines are no replies', async () => {
    const nextQuestion = questions();
    const call = raw.call('get_module', { module: 'North' });
    const { id } = await nextQuestion();
    raw.write('\n  \r\n');
    expect(await waterings()).toEqual([]);
    writeMessage({ jsonrpc: '2.0', id, result: CHOICE });
    expect((await withoutWaiting(raw.answer(call))).result.isError).not.toBe(true);
  });
});

type PostRound = (round?: Round) => Promise<Json>;

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

describe.each(['HTTP', 'standard input and output'])(
  'in revision 2026-07-28 over %s, a reply to a form',
  (transport) => {
    let post: PostRound;
    let service: RestService;
    let key: string;
    beforeAll(async () => {
      service = await serveStoreForFile(await baseFarmForFile());
      key = await service.newKey();
      if (transport === 'HTTP') {
        post = async (round) =>
          (await postRound(service, key, 'log_watering', AMBIGUOUS, round)).body;
        return;
      }
      const server = startRawServer(serverArguments(service.db, {}), { after: afterFile });
      post = async (round) => {
        const params = { name: 'log_watering', arguments: AMBIGUOUS, _meta: ENVELOPE, ...round };
        return server.answer(server.send('tools/call', params));
      };
    });

    const MALFORMED: readonly [string, unknown][] = [
      ['that is empty', {}],
      ['with null as content', { action: 'accept', content: null }],
      ['with a list as content', { action: 'accept', content: [] }],
      ['with an unknown action', { ...CHOICE, action: 'shrug' }],
      ['with another type', { action: 'accept', content: { module: { toString: 1 } } }],
      ['that is an error', { code: -32601, message: 'No such method' }],
    ];

    it.each(MALFORMED)('%s ends the call, and nothing is written', async (_, reply) => {
      const { requestState } = (await post()).result;
      const { result } = await withoutWaiting(
        post({ requestState, inputResponses: { module: reply } }),
      );
      expect(refusalIn(result)).toMatchObject({
        code: 'AMBIGUOUS_NAME',
        hint: expect.stringContaining('#1'),
      });
      expect((await service.request('GET', '/irrigation/events', { key })).body.data).toEqual([]);
    });

    it.each([
      ['that is missing', undefined],
      ['to another question', { flowMmPerH: CHOICE }],
      ['that is null', { module: null }],
      ['that is a text', { module: 'North 1 (#1)' }],
      ['that is a list', { module: [CHOICE] }],
    ])('%s has the question asked again', async (_, inputResponses) => {
      const { requestState } = (await post()).result;
      const { result } = await withoutWaiting(post({ requestState, inputResponses }));
      expect(result).toMatchObject({
        resultType: 'input_required',
        inputRequests: { module: expect.anything() },
      });
      expect((await service.request('GET', '/irrigation/events', { key })).body.data).toEqual([]);
    });

    it.each([
      ['null', null],
      ['a text', 'North 1'],
      ['a list', [CHOICE]],
    ])(
      'is answered if the whole of inputResponses is %s, and nothing is written',
      async (_, inputResponses) => {
        const { requestState } = (await post()).result;
        const answer = await withoutWaiting(post({ requestState, inputResponses }));
        expect(
          answer.result?.resultType ?? answer.error?.code ?? refusalIn(answer.result),
        ).toBeDefined();
        expect((await service.request('GET', '/irrigation/events', { key })).body.data).toEqual([]);
      },
    );
  },
);
