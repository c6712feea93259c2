import { randomUUID } from 'node:crypto';
import { code } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say } from '../../domain/text/say.ts';
import { mayHold } from '../../operation/authorization.ts';
import { invalidInputError, notFoundError } from '../../schema/error.ts';
import { type KeyScope, type Role, SCOPES, type Scope, webhookScope } from '../../schema/scope.ts';
import { allCompanies, allUsers, type CompanyRow } from '../../store/company/companies.ts';
import {
  type ApiKeyRow,
  addKey,
  allKeys,
  changeKey,
  companyKeyById,
  keyById,
} from '../../store/keys/api-keys.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  generateKey,
  hashKey,
  type KeySurface,
  keyStateAt,
  parseScopes,
  ROLE_WITHOUT_USER,
} from './api-keys.ts';
import { KEY_PRESETS, type KeyPreset } from './key-presets.ts';
import { type Member, resolveMember } from './members.ts';

export interface KeyRequest {
  readonly company: CompanyRow;
  /** The id or e-mail address of a member, or "none"; default: the first OWNER. */
  readonly user?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Used if no scopes are named; default: viewer. */
  readonly preset?: KeyPreset | undefined;
  /** The preset or map of the only payloads that the key may send. */
  readonly webhook?: string | undefined;
  readonly surface: KeySurface;
  readonly expiresAt: number | null;
}

/** The only answer with the key itself: the store has its hash alone. */
export interface CreatedKey {
  readonly id: number;
  readonly key: string;
  readonly scopes: readonly KeyScope[];
  readonly user: string | null;
  readonly expiresAt: number | null;
}

export async function createKey(
  store: Store,
  request: KeyRequest,
  now: number,
): Promise<CreatedKey> {
  const { company, webhook, surface, expiresAt } = request;
  assertExpiryAhead(expiresAt, now);

  return store.write(company.id, async (db) => {
    // A network or gateway acts for nobody.
    const defaultUser = webhook === undefined ? undefined : 'none';
    const user = await resolveUser(db, company, request.user ?? defaultUser);

    const role = user?.role ?? ROLE_WITHOUT_USER;
    // The role of the key must allow what the webhook writes.
    const requested = webhook === undefined ? request : { scopes: ['ingest:write'] };
    const resolved = resolveScopes(requested, role);
    if (webhook !== undefined && !/^[\w.-]+(\/[\w.-]+)?$/.test(webhook))
      throw invalidInputError(
        'invalid_parameter',
        say`${quotedName(webhook)} is not the name of a preset or map.`,
        {
          hint: say`"acequia ingest presets" lists the presets.`,
          field: '--webhook',
        },
      );

    const scopes: readonly KeyScope[] = webhook === undefined ? resolved : [webhookScope(webhook)];
    const row = {
      family: randomUUID(),
      user_id: user?.id ?? null,
      scopes: JSON.stringify(scopes),
      channel: surface,
      expires_at: expiresAt,
    };

    return { ...(await insertNewKey(db, row, now)), scopes, user: user?.email ?? null, expiresAt };
  });
}

interface KeyRotation {
  readonly id: number;
  readonly overlapMs: number;
  readonly expiresAt?: number | undefined;
}

export async function rotateKey(
  store: Store,
  { id, overlapMs, expiresAt: newExpiresAt }: KeyRotation,
  now: number,
): Promise<CreatedKey & { readonly oldEndsAt: number }> {
  if (newExpiresAt !== undefined) assertExpiryAhead(newExpiresAt, now);
  const { company_id: companyId } = await findKey(store, id);
  return store.write(companyId, async (db) => {
    const old = (await companyKeyById(db, id)) ?? throwUnknownKey(id);
    const state = keyStateAt(old, now);
    if (state !== 'active')
      throw invalidInputError('invalid_parameter', say`The key #${id} is ${code(state)}.`, {
        hint: say`Create a new one with "acequia keys create".`,
      });

    const { family, user_id, scopes, channel } = old;
    const expiresAt = newExpiresAt ?? old.expires_at;
    const created = await insertNewKey(
      db,
      { family, user_id, scopes, channel, expires_at: expiresAt },
      now,
    );

    const oldEndsAt = Math.min(old.expires_at ?? Number.POSITIVE_INFINITY, now + overlapMs);
    await changeKey(db, id, { expires_at: oldEndsAt });

    const user = (await allUsers(db)).find((member) => member.id === user_id);
    return {
      ...created,
      scopes: parseScopes(scopes),
      user: user?.email ?? null,
      expiresAt,
      oldEndsAt,
    };
  });
}

export async function revokeKey(store: Store, id: number, now: number): Promise<void> {
  const { company_id: companyId } = await findKey(store, id);
  await store.write(companyId, async (db) => {
    const { revoked_at: revokedAt } = (await companyKeyById(db, id)) ?? throwUnknownKey(id);
    if (revokedAt === null) await changeKey(db, id, { revoked_at: now });
  });
}

const findKey = async (store: Store, id: number) =>
  (await store.readAll((all) => keyById(all, id))) ?? throwUnknownKey(id);

export async function listKeys(
  store: Store,
  company: CompanyRow | null,
  now: number,
): Promise<KeyListing[]> {
  return store.readAll(async (all) => {
    const listings: KeyListing[] = [];
    for (const listed of company ? [company] : await allCompanies(all))
      for (const row of await allKeys(store.scopeToCompany(all, listed.id)))
        listings.push(keyListing(row, listed, now));
    return listings.sort((a, b) => a.id - b.id);
  });
}

const keyListing = (
  row: ApiKeyRow & { email: string | null },
  { id, name }: CompanyRow,
  now: number,
) => ({
  id: row.id,
  state: keyStateAt(row, now),
  company: { id, name },
  user: row.user_id === null ? null : { id: row.user_id, email: row.email },
  scopes: parseScopes(row.scopes),
  surface: row.channel,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
});

export type KeyListing = ReturnType<typeof keyListing>;

type NewKeyRow = Pick<ApiKeyRow, 'family' | 'user_id' | 'scopes' | 'channel' | 'expires_at'>;

async function insertNewKey(
  db: CompanyDb,
  row: NewKeyRow,
  now: number,
): Promise<{ id: number; key: string }> {
  const key = generateKey();
  return { id: await addKey(db, { ...row, hash: hashKey(key), created_at: now }), key };
}

function throwUnknownKey(id: number): never {
  throw notFoundError(say`There is no key #${id}.`, say`"acequia keys list" lists them.`);
}

function assertExpiryAhead(expiresAt: number | null, now: number): void {
  if (expiresAt !== null && expiresAt <= now)
    throw invalidInputError('invalid_parameter', say`The key would already be expired.`, {
      hint: say`Give --expires an instant in the future.`,
      field: '--expires',
    });
}

const resolveUser = async (
  db: CompanyDb,
  company: CompanyRow,
  text: string | undefined,
): Promise<Member | null> => (text?.trim() === 'none' ? null : resolveMember(db, company, text));

function resolveScopes(
  { scopes, preset = 'viewer' }: Pick<KeyRequest, 'scopes' | 'preset'>,
  role: Role,
): Scope[] {
  const allowed = SCOPES.filter((scope) => mayHold(role, scope));
  if (scopes === undefined && preset === 'everything') return allowed;

  const requested: readonly string[] = scopes ?? KEY_PRESETS[preset];
  const unknown = requested.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined || requested.length === 0)
    throw invalidInputError(
      'invalid_parameter',
      unknown === undefined ? say`No scope is named.` : say`${quotedName(unknown)} is not a scope.`,
      { hint: say`The scopes are ${commaSeparated(SCOPES.map(code))}.`, field: '--scopes' },
    );

  const forbidden = SCOPES.filter((scope) => requested.includes(scope) && !allowed.includes(scope));
  if (forbidden.length > 0)
    throw invalidInputError(
      'insufficient_role',
      say`A key that acts as ${code(role)} cannot have ${commaSeparated(forbidden.map(code))}.`,
      {
        status: 403,
        hint: say`It may have ${commaSeparated(allowed.map(code))}.`,
        field: scopes === undefined ? '--preset' : '--scopes',
      },
    );

  return SCOPES.filter((scope) => requested.includes(scope));
}
