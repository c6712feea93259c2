import { beforeAll, describe, expect, it } from 'vitest';
import { mayHold } from '../../../src/operation/authorization.ts';
import { isWrite } from '../../../src/operation/effect.ts';
import type { AnyOperation } from '../../../src/operation/operation.ts';
import { SCOPES } from '../../../src/schema/scope.ts';
import { importFarm } from '../../../src/service/farm/farm-import.ts';
import { createKey } from '../../../src/service/keys/key-administration.ts';
import { allCompanies, type CompanyRecord } from '../../../src/store/company/companies.ts';
import { openStore } from '../../../src/store/store.ts';
import { operations, operationsByName, tools } from '../../../tools/index.ts';
import { callsOfOperation } from '../../operation-calls.ts';
import { CLOCK } from '../program.ts';
import { type CallOperation, restSurface, serveStore, stdioSurface, storeForFile } from '../test-surfaces.ts';

const NOW = Date.parse(CLOCK);
const OWNER = { email: 'ana@example.org', name: 'Ana', role: 'OWNER' };
const VERA = { email: 'vera@example.org', name: 'Vera' };
const farmWith = (...users: object[]) =>
  JSON.stringify({
    company: { name: 'Mas Rouge' },
    users,
    modules: [{ uid: 'A1', name: 'North 1', category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z' }],
  });

const scopes = [...new Set(operations.map(({ scope }) => scope))];
const scopesOfTools = [...new Set(tools.map(({ scope }) => scope))];
/** An operation of several scopes is tested with a key of each, and refused only without all of them. */
const scopesOf = ({ scope, orScopes = [] }: AnyOperation): readonly string[] => [scope, ...orScopes];
const needs = (scope: string) => (each: AnyOperation) => scopesOf(each).every((one) => one === scope);

const keys = { lacking: new Map<string, string>(), alone: new Map<string, string>(), ofViewer: '', ofNobody: '' };
let db: string;
let base: string;

beforeAll(async () => {
  db = await storeForFile();
  const store = await openStore({ db });
  try {
    await importFarm(store, farmWith(OWNER, { ...VERA, role: 'OWNER' }), NOW);
    const [company] = (await store.readAll(allCompanies)) as [CompanyRecord];
    const newKey = async (user: string, scopes: readonly string[]) =>
      (await createKey(store, { company, user, scopes, preset: 'everything', surface: 'api', expiresAt: null }, NOW))
        .key;
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

async function answersTo(ask: CallOperation, operations: readonly AnyOperation[]): Promise<Record<string, string>> {
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

async function onStdio<T>(key: string, body: (ask: CallOperation) => Promise<T>): Promise<T> {
  const surface = await stdioSurface(['--db', db], { ACEQUIA_API_KEY: key });
  try {
    return await body(surface.call);
  } finally {
    await surface.close();
  }
}

describe('a key without one scope', () => {
  it.each(scopes)('is refused operations that need %s, over HTTP', async (scope) => {
    const called = operations.filter(needs(scope));
    const answers = await answersTo(restSurface(base, keys.lacking.get(scope)!), called);
    expect(answers).toEqual(expectedAnswers(called, 'insufficient_scope'));
  });

  it.each(scopesOfTools)('is refused tools that need %s, over stdio', async (scope) => {
    const called = tools.filter(needs(scope));
    const answers = await onStdio(keys.lacking.get(scope)!, (ask) => answersTo(ask, called));
    expect(answers).toEqual(expectedAnswers(called, 'insufficient_scope'));
  });
});

describe('a key with one scope', () => {
  it.each(scopes)('may call what needs %s, and nothing else', async (scope) => {
    const answers = await answersTo(restSurface(base, keys.alone.get(scope)!), operations);
    const refused = operations.filter(({ name }) => answers[name] === 'insufficient_scope');
    expect(refused).toEqual(operations.filter((operation) => !scopesOf(operation).includes(scope)));
  });
});

describe('a VIEWER whose key still has every scope', () => {
  it('is refused every write, over HTTP and stdio', async () => {
    const writes = operations.filter(isWrite);
    expect(await answersTo(restSurface(base, keys.ofViewer), writes)).toEqual(
      expectedAnswers(writes, 'insufficient_role'),
    );
    const ofTools = tools.filter(isWrite);
    expect(await onStdio(keys.ofViewer, (ask) => answersTo(ask, ofTools))).toEqual(
      expectedAnswers(ofTools, 'insufficient_role'),
    );
  });

  it('may read, over HTTP and stdio', async () => {
    const reads = operations.filter((operation) => !isWrite(operation));
    const readTools = reads.filter(({ restOnly }) => !restOnly);
    expect(await answersTo(restSurface(base, keys.ofViewer), reads)).toEqual(ownCodes(reads));
    expect(await onStdio(keys.ofViewer, (ask) => answersTo(ask, readTools))).toEqual(ownCodes(readTools));
  });
});

describe('a key without a user', () => {
  const AUTHORED = {
    create_alert: { moduleId: 1, threshold: 20 },
    create_annotation: { moduleId: 1, type: 'text', p1: [NOW, 30], text: 'Rain' },
  };

  it('is refused what needs an author, over HTTP and stdio', async () => {
    const ask = async (surface: CallOperation) => {
      const answers: Record<string, string> = {};
      for (const [name, wire] of Object.entries(AUTHORED)) {
        const { refusal } = await surface(operationsByName.get(name)!, wire);
        answers[name] = refusal ? refusal.code : 'answered';
      }
      return answers;
    };
    const refused = { create_alert: 'no_user', create_annotation: 'no_user' };
    expect(await ask(restSurface(base, keys.ofNobody))).toEqual(refused);
    expect(await onStdio(keys.ofNobody, ask)).toEqual(refused);
  });

  it('may change the alert of a member', async () => {
    const owners = restSurface(base, keys.alone.get('alerts:write')!);
    const { body: alert } = await owners(operationsByName.get('create_alert')!, AUTHORED.create_alert);
    const wire = { alertId: alert.id, threshold: 15 };
    const { body } = await restSurface(base, keys.ofNobody)(operationsByName.get('update_alert')!, wire);
    expect(body).toMatchObject({ id: alert.id, threshold: '15', createdBy: alert.createdBy });
  });
});

describe('a request without a valid key', () => {
  it('is refused by every operation, over HTTP and stdio', async () => {
    const refused = (called: readonly AnyOperation[]) => expectedAnswers(called, 'unauthenticated');
    expect(await answersTo(restSurface(base, 'acequia_of-nobody'), operations)).toEqual(refused(operations));
    expect(await onStdio('acequia_of-nobody', (ask) => answersTo(ask, tools))).toEqual(refused(tools));
  });
});
