import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile, newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { startMailServer } from '../../mail-server.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { bodyOf, callerOf } from '../mcp-session.ts';
import { CLOCK, type Json, waitUntil } from '../program.ts';
import { createTestKey, serveStoreForFile, startServing } from '../rest-service.ts';
import { mcpHttpSurface, stdioSurface } from '../test-surfaces.ts';
import { outboxRows, runTick } from './outbox-store.ts';

const ALERT = { threshold: 20 };
/** Words that promise a message, whatever the sentence. */
const PROMISES = /notified|reminder each|mail goes|will hear/i;

const round = (runner: string, mailServer: 0 | 1, minutesAgo: number, failedAgo?: number): string =>
  `insert into job_rounds (runner, has_mail_server, ran_at, tried_at, failed_at) values ('${runner}', ${mailServer},
    ${Date.now() - minutesAgo * 60_000}, ${Date.now() - 600 * 60_000}, ${failedAgo === undefined ? 'null' : Date.now() - failedAgo * 60_000})`;

/** A message of the base farm, whose only member is Ana. */
const message = (state: 'waiting' | 'refused', answer: string): string =>
  `insert into outbox (id, company_id, kind, user_id, to_address, subject, text, html, created_at, state, attempts,
    next_attempt_at, last_response) values ('${state}', 1, 'doubt', 1, 'ana@example.org', 's', 't', 'h',
    ${Date.parse(CLOCK) - 3 * 3_600_000}, '${state}', 1, 0, '${answer}')`;

interface Case {
  readonly what: string;
  readonly statements: readonly string[];
  /** How each answer about an alert begins where no message can leave; null where one will. */
  readonly begins: string | null;
}

const casesOf = (where: string): readonly Case[] => [
  {
    what: 'a service without a mail server',
    statements: [round('serve', 0, 1)],
    begins: `No mail can leave ${where} yet: no server is set.`,
  },
  {
    what: 'a service whose server fails',
    statements: [round('serve', 0, 1), round('tick', 1, 1, 180)],
    begins: `No mail leaves ${where} now: the mail server could not be used 3 h ago.`,
  },
  {
    what: 'a server that refused the last mail',
    statements: [round('tick', 1, 1), message('refused', '550 no such user')],
    begins: 'The mail server has not accepted the last mail to Ana ("550 no such user")',
  },
  { what: 'a service that delivers', statements: [round('tick', 1, 1)], begins: null },
];

const casesOfChats: readonly Case[] = [
  {
    what: 'nothing but chats',
    statements: [],
    begins:
      'No mail can leave this computer yet: no server is set. Alerts are checked only while a chat is open.',
  },
  {
    what: 'a service that has ended',
    statements: [round('serve', 1, 180)],
    begins:
      'No mail leaves this computer any more: what sends it last ran 3 h ago. Alerts are checked only while a chat is open.',
  },
];

interface Answers {
  /** The beginning of the answer to an alert, and the whole answer. */
  readonly created: { readonly summary: string; readonly all: string };
  readonly listed: string;
  readonly brief: string;
}

type Ask = () => Promise<Answers>;

const enter = async (db: string, statements: readonly string[]): Promise<void> =>
  executeStatements(
    db,
    'delete from job_rounds',
    "delete from outbox where kind = 'doubt'",
    ...statements,
  );

function checkAnswers({ created, listed, brief }: Answers, { begins, statements }: Case): void {
  if (begins === null) {
    expect(created.summary).toMatch(
      /Ana will be notified by e-mail( as long as "acequia tick" runs regularly)?, but not about North 1 before it sends\./,
    );
    return;
  }

  expect(created.summary.slice(0, begins.length)).toBe(begins);
  for (const text of [created.all, listed, brief]) expect(text).not.toMatch(PROMISES);
  const hindrance = begins.split('.')[0]!;
  // A list is of several people, each with an own last mail.
  if (!begins.startsWith('The mail server')) expect(listed).toContain(hindrance);
  const isRefused = statements.some((statement) => statement.includes('refused'));
  if (isRefused) expect(brief).toContain('Rejected by the mail server');
}

const askTools = (call: (name: string, args?: object) => Promise<CallToolResult>): Ask => {
  const textOf = async (name: string, args = {}) => JSON.stringify(await call(name, args));
  return async () => {
    const created = await call('create_alert', { module: 'North 1', ...ALERT });
    return {
      created: { summary: bodyOf(created).summary, all: JSON.stringify(created) },
      listed: await textOf('list_alerts'),
      brief: await textOf('morning_brief'),
    };
  };
};

const askRest =
  (base: string, key: string): Ask =>
  async () => {
    const textsOf = async (method: string, path: string, body?: Json): Promise<string[]> => {
      const headers = {
        'x-api-key': key,
        'acequia-remarks': 'en',
        'content-type': 'application/json',
      };
      const response = await fetch(`${base}${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      });
      expect(response.status).toBe(method === 'POST' ? 201 : 200);
      return JSON.parse(decodeURIComponent(response.headers.get('acequia-remarks') ?? '[]'));
    };
    const created = (await textsOf('POST', '/alerts', { moduleId: 1, ...ALERT })).join(' ');
    return {
      created: { summary: created, all: created },
      listed: (await textsOf('GET', '/alerts')).join(' '),
      brief: (await textsOf('GET', '/brief')).join(' '),
    };
  };

describe('on the computer of the store', () => {
  let ask: Ask;
  let db: string;
  beforeAll(async () => {
    db = await baseFarmForFile();
    const stdio = await stdioSurface(['--db', db]);
    ask = askTools((name, args = {}) => callerOf(stdio.client)(name, { ...args }));
  });

  it.each([...casesOfChats, ...casesOf('this computer')])('$what', async (each) => {
    await enter(db, each.statements);
    checkAnswers(await ask(), each);
  });

  it('names the command that ends it, for this store', async () => {
    await enter(db, []);
    const { created, brief } = await ask();
    expect(created.all).toContain(`acequia service install --db ${db}`);
    await enter(db, [message('waiting', '421 later')]);
    expect((await ask()).brief).toContain(`acequia service install --db ${db}`);
    expect(brief).not.toContain('service install');
  });

  it('names in the brief what waits unsent, and how long', async () => {
    await enter(db, [message('waiting', '421 later')]);
    const { brief } = await ask();
    expect(brief).toContain('Not sent yet: 1 message, for 3 h (no mail server is set).');
    expect(brief).toContain('on this computer, run acequia service install');
    expect(brief).not.toContain('computer of the service');
  });
});

describe('with a service', () => {
  const asks: Record<string, Ask> = {};
  let db: string;
  beforeAll(async () => {
    db = await baseFarmForFile();
    const { base } = await serveStoreForFile(db, '--rate-limit', '0', '--clock', CLOCK);
    const { key } = await createTestKey(db, '--surface', 'mcp');
    const remote = await stdioSurface(['--remote', base], { ACEQUIA_API_KEY: key });
    const posted = await mcpHttpSurface(base, key);
    asks.REST = askRest(base, key);
    asks.remote = askTools((name, args = {}) => callerOf(remote.client)(name, { ...args }));
    asks.posted = askTools((name, args = {}) => callerOf(posted.client)(name, { ...args }));
    await waitUntil(async () => (await rowsOf(db, 'select * from job_rounds')).length > 0);
  });

  it('records its first round soon after it starts, without a mail server', async () => {
    expect(await rowsOf(db, 'select runner, has_mail_server from job_rounds')).toEqual([
      { runner: 'serve', has_mail_server: 0 },
    ]);
  });

  it.each(casesOf('the computer of the service'))('$what', async (each) => {
    for (const surface of ['REST', 'remote', 'posted']) {
      await enter(db, each.statements);
      const answers = await asks[surface]!();
      checkAnswers(answers, each);
      expect(answers.created.all).not.toContain(db);
      expect(answers.brief).not.toContain('on this computer');
      // Remarks over REST name no next step. The path of the store is not for clients.
      if (surface === 'REST' || each.begins === null) continue;
      expect(answers.created.all).toMatch(/acequia (?:service install|doctor) --db FILE/);
      if (answers.brief.includes('Rejected by'))
        expect(answers.brief).toContain('doctor --db FILE');
    }
  });
});

it('promises mail once a server has accepted some, and no longer once none can be reached', async () => {
  const db = await newBaseFarm();
  const server = await startMailServer();
  const env = { ACEQUIA_SMTP_URL: server.url };
  const words = ['call', 'create_alert', 'module=North 1', 'threshold=20', '--db', db];
  const createAlert = async () => (await runInProcess(words)).stdout;

  await enter(db, [message('waiting', '421 later')]);
  await runTick(db, env);
  expect(await outboxRows(db)).toMatchObject([{ state: 'sent' }]);
  expect(await createAlert()).toContain('Ana will be notified by e-mail');

  await server.close();
  await executeStatements(db, 'delete from outbox', message('waiting', '421 later'));
  await runTick(db, env);
  expect(await createAlert()).toMatch(
    /^No mail leaves this computer now: the mail server could not/,
  );

  // A service that was started with a server that can be used does not wait for the next attempt.
  const usable = await startMailServer();
  await startServing(db, [], { env: { ACEQUIA_SMTP_URL: usable.url } });
  await waitUntil(async () => (await outboxRows(db))[0]?.state === 'sent');
  expect(await createAlert()).toContain('Ana will be notified by e-mail');
});

it('promises nothing after a tick that a person ran at a terminal', async () => {
  const db = await newBaseFarm();
  const { url } = await startMailServer();
  const words = ['call', 'create_alert', 'module=North 1', 'threshold=20', '--db', db];
  const createAlert = async () => (await runInProcess(words)).stdout;

  Object.defineProperty(process.stdout, 'columns', { value: 80, configurable: true });
  try {
    await runTick(db, { ACEQUIA_SMTP_URL: url });
  } finally {
    Reflect.deleteProperty(process.stdout, 'columns');
  }
  expect(await createAlert()).toMatch(/^No mail can leave this computer yet/);
  await runTick(db, { ACEQUIA_SMTP_URL: url });
  expect(await createAlert()).toContain('Ana will be notified by e-mail');
});

describe('a mail server that refuses the password', () => {
  const words = ['call', 'create_alert', 'module=North 1', 'threshold=20'];
  const wrongEnv = async () => {
    const { port } = await startMailServer({ login: { user: 'ana', password: 'right' } });
    return { ACEQUIA_SMTP_URL: `smtp://ana:wrong@127.0.0.1:${port}` };
  };
  const createAlert = async (db: string) => (await runInProcess([...words, '--db', db])).stdout;
  const failedCount = async (db: string) =>
    (await rowsOf(db, 'select 1 from job_rounds where failed_at is not null')).length;

  it('is found when a service starts, which promises nothing once it has stopped', async () => {
    const db = await newBaseFarm();
    const service = await startServing(db, [], { env: await wrongEnv() });
    await waitUntil(async () => (await failedCount(db)) === 1);
    expect(await createAlert(db)).toMatch(/^No mail leaves this computer now/);
    await service.stop();
    expect(await createAlert(db)).toMatch(/^No mail leaves this computer any more.*just now/);
  });

  it('is found by a tick without a message', async () => {
    const db = await newBaseFarm();
    await runTick(db, await wrongEnv());
    expect(await failedCount(db)).toBe(1);
  });

  it('is not called a missing one by the first answer of an assistant', async () => {
    const db = await newBaseFarm();
    const { client } = await stdioSurface(['--db', db], await wrongEnv());
    const created = await callerOf(client)('create_alert', { module: 'North 1', ...ALERT });
    expect(bodyOf(created).summary).toMatch(
      /^(Whether mail can leave|No mail leaves) this computer/,
    );
  });
});
