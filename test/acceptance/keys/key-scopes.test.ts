import { beforeAll, describe, expect, it } from 'vitest';
import { mayHold } from '../../../src/operation/authorization.ts';
import type { AnyOperation } from '../../../src/operation/operation.ts';
import { isWrite } from '../../../src/operation/operation-kind.ts';
import { SCOPES } from '../../../src/schema/scope.ts';
import { importFarm } from '../../../src/service/farm/farm-import.ts';
import { createKey } from '../../../src/service/keys/key-administration.ts';
import { allCompanies, type CompanyRow } from '../../../src/store/company/companies.ts';
import { openStore } from '../../../src/store/store.ts';
import { operations, operationsByName, tools } from '../../../tools/index.ts';
import { callsOfOperation } from '../../operation-calls.ts';
import { CLOCK } from '../program.ts';
import {
  type CallOperation,
  restSurface,
  serveStore,
  stdioSurface,
  storeForFile,
} from '../test-surfaces.ts';

const NOW = Date.parse(CLOCK);
const OWNER = { email: 'ana@example.org', name: 'Ana', role: 'OWNER' };
const VERA = { email: 'vera@example.org', name: 'Vera' };
const farmWith = (...users: object[]) =>
  JSON.stringify({
    company: { name: 'Mas Rouge' },
    users,
    modules: [
      {
        uid: 'A1',
        name: 'North 1',
        category: 'SOIL_PROBE',
        commissionedAt: '2025-01-11T09:00:00Z',
      },
    ],
  });

const scopes = [...new Set(operations.map(({ scope }) => scope))];
/**
 * An operation of several scopes is tested with a key of each, and refused only without all of
 * them.
 */
const scopesOf = ({ scope, orScopes = [] }: AnyOperation): readonly string[] => [
  scope,
  ...orScopes,
];
const needs = (scope: string) => (each: AnyOperation) =>
  scopesOf(each).every((one) => one === scope);

const keys = {
  lacking: new Map<string, string>(),
  alone: new Map<string, string>(),
  ofViewer: '',
  ofNobody: '',
};
let db: string;
let base: string;

beforeAll(async () => {
  db = await storeForFile();
  const store = await openStore({ db });
  try {
    await importFarm(store, farmWith(OWNER, { ...VERA, role: 'OWNER' }), NOW);
    const [company] = (await store.readAll(allCompanies)) as [CompanyRow];
    const newKey = async (user: string, scopes: readonly string[]) =>
      (
        await createKey(
          store,
          { company, user, scopes, preset: 'everything', surface: 'api', expiresAt: null },
          NOW,
        )
      ).key;
    const allBut = (scope: string) => SCOPES.filter((each) => each !== scope);
    for (const scope of scopes) {
      keys.lacking.set(scope, await newKey(OWNER.email, allBut(scope)));
      keys.alone.set(scope, await newKey(OWNER.email, [scope]));
    }
    keys.ofViewer = await newKey(VERA.email, SCOPES);
    const ofManager = SCOPES.filter((each) => mayHold('MANAGER', each));
    keys.ofNobody = await newKey('none', ofManager);
    // A key keeps its scopes when its user's role changes.
    await importFarm(store, farmWith(OWNER, { ...VERA, role: 'VIEWER' }), NOW);
  } finally {
    await store.close();
  }
  base = await serveStore(db);
});

async function answersTo(
  ask: CallOperation,
  operations: readonly AnyOperation[],
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const operation of operations) {
    const { refusal } = await ask(operation, callsOfOperation(operation.name).refused);
    answers[operation.name] = refusal ? refusal.code : 'answered';
  }
  return answers;
}

const ownCodes = (of: readonly AnyOperation[]): Record<string, string> =>
  Object.fromEntries(of.map(({ name }) => [name, callsOfOperation(name).code]));

const expectedAnswers = (called: readonly AnyOperation[], answer: string): Record<string, string> =>
  Object.fromEntries(called.map(({ name }) => [name, answer]));

const overHttp = (key: string): CallOperation => restSurface(base, key);

async function overStdio(key: string): Promise<CallOperation> {
  return (await stdioSurface(['--db', db], { ACEQUIA_API_KEY: key })).call;
}

describe('a key without one scope', () => {
  it.each(scopes)('is refused operations that need %s', async (scope) => {
    const called = operations.filter(needs(scope));
    const answers = await answersTo(overHttp(keys.lacking.get(scope)!), called);
    expect(answers).toEqual(expectedAnswers(called, 'insufficient_scope'));
  });

  it('is refused over stdio, too', async () => {
    const called = tools.filter(needs('irrigation:write'));
    const answers = await answersTo(await overStdio(keys.lacking.get('irrigation:write')!), called);
    expect(answers).toEqual(expectedAnswers(called, 'insufficient_scope'));
  });
});

describe('a key with one scope', () => {
  it.each(scopes)('may call what needs %s', async (scope) => {
    const called = operations.filter((operation) => scopesOf(operation).includes(scope));
    const answers = await answersTo(overHttp(keys.alone.get(scope)!), called);
    expect(called.filter(({ name }) => answers[name] === 'insufficient_scope')).toEqual([]);
  });
});

describe('a VIEWER whose key still has every scope', () => {
  it('may read, and is refused every write, over HTTP', async () => {
    const answers = await answersTo(overHttp(keys.ofViewer), operations);
    const writes = operations.filter(isWrite);
    const reads = operations.filter((operation) => !isWrite(operation));
    expect(answers).toEqual({
      ...expectedAnswers(writes, 'insufficient_role'),
      ...ownCodes(reads),
    });
  });

  it('may read, and is refused a write, over stdio', async () => {
    const called = ['get_module', 'log_watering'].map((name) => operationsByName.get(name)!);
    const answers = await answersTo(await overStdio(keys.ofViewer), called);
    expect(answers).toEqual({ ...ownCodes(called), log_watering: 'insufficient_role' });
  });
});

it('a key without a user may change the alert of a member', async () => {
  const owners = overHttp(keys.alone.get('alerts:write')!);
  const { body: alert } = await owners(operationsByName.get('create_alert')!, {
    moduleId: 1,
    threshold: 20,
  });
  const wire = { alertId: alert.id, threshold: 15 };
  const { body } = await overHttp(keys.ofNobody)(operationsByName.get('update_alert')!, wire);
  expect(body).toMatchObject({ id: alert.id, threshold: '15', createdBy: alert.createdBy });
});

it('a request without a valid key is refused by every operation', async () => {
  const answers = await answersTo(overHttp('acequia_of-nobody'), operations);
  expect(answers).toEqual(expectedAnswers(operations, 'unauthenticated'));
});
