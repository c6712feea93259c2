import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import { quote } from '../../domain/text.ts';
import { type Credential, type Identify, mayHold } from '../../operation/authorization.ts';
import type { Call } from '../../operation/call.ts';
import type { SignInLinkBody } from '../../schema/company/company.ts';
import { AcequiaError, notFoundError } from '../../schema/error.ts';
import { SCOPES } from '../../schema/scope.ts';
import { allCompanies, type CompanyRow } from '../../store/company/companies.ts';
import { announceChange } from '../../store/company-changes.ts';
import {
  activeSession,
  addSession,
  deleteSessionsExpiredBefore,
  linkOwner,
  redeemSignInLink,
  revokeSession,
  type SessionRow,
  sessionById,
  sessionsOfCompany,
} from '../../store/keys/sessions.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { toIso } from '../wire-format.ts';
import { hashKey, isUseToRecord } from './api-keys.ts';
import { findMember, type Member, membersOf, resolveMember } from './key-administration.ts';

const LINK_MS = DAY_MS;
/** Shorter, because the link remains in the chat with the assistant. */
const CHAT_LINK_MS = HOUR_MS;
const SESSION_MS = 90 * DAY_MS;
/** How long an ended session stays in the list. */
const LISTED_AFTER_END_MS = 30 * DAY_MS;

const LINK_FORMAT = /^acequia_link_[\w-]{43}$/;
const SESSION_FORMAT = /^acequia_session_[\w-]{43}$/;

/** 256 random bits. */
const generateSecret = (kind: 'link' | 'session'): string =>
  `acequia_${kind}_${randomBytes(32).toString('base64url')}`;

interface SignInLink {
  readonly id: number;
  /** Shown once: only its hash is stored. */
  readonly secret: string;
  readonly expiresAt: number;
}

export async function createSignInLink(
  db: CompanyDb,
  userId: number,
  now: number,
  lifeMs = LINK_MS,
): Promise<SignInLink> {
  const secret = generateSecret('link');
  const expiresAt = now + lifeMs;

  await deleteSessionsExpiredBefore(db, now - LISTED_AFTER_END_MS);
  const id = await addSession(db, {
    hash: hashKey(secret),
    user_id: userId,
    created_at: now,
    expires_at: expiresAt,
  });

  return { id, secret, expiresAt };
}

/** The secret is in the fragment, which browsers do not send, so that no server logs it. */
export const signInAddress = (service: URL, secret: string): string =>
  `${new URL('/sign-in', service).href}#${secret}`;

export async function linkForMember(
  call: Call,
  { email }: { email?: string | undefined },
): Promise<SignInLinkBody> {
  const { db, now, pageUrl } = call;
  const member = await memberFor(call, email);
  const { secret, expiresAt } = await createSignInLink(db, member.id, now, CHAT_LINK_MS);
  return { url: signInAddress(pageUrl, secret), email: member.email, expiresAt: toIso(expiresAt) };
}

/**
 * Default: the OWNER who calls; on the local store, where the caller has no name, the first OWNER.
 */
async function memberFor(
  { db, company, caller }: Call,
  email: string | undefined,
): Promise<Member> {
  if (email === undefined)
    return resolveMember(db, company, caller.userId === null ? undefined : String(caller.userId));
  const member = findMember(await membersOf(db), email);
  if (!member) throw notFoundError(`The company has no member ${quote(email)}.`, 'See list_users.');
  return member;
}

interface OpenedSession {
  readonly secret: string;
  readonly maxAgeMs: number;
}

/** Who the link signs in, and to which farm. The link can still be used afterwards. */
export async function describeLink(
  store: Store,
  link: string,
  now: number,
): Promise<{ readonly name: string; readonly email: string; readonly farm: string }> {
  const owner =
    LINK_FORMAT.test(link) && (await store.readAll((all) => linkOwner(all, hashKey(link), now)));
  if (!owner) throw linkInvalid();
  return owner;
}

interface SignInOptions {
  readonly device: string | null;
  readonly now: number;
  /**
   * The secret of the session that the browser had until now, perhaps another person's: it ends.
   */
  readonly replaced?: string | undefined;
}

/**
 * Works once. The session gets a secret of its own, so that having seen the link does not give
 * access to the session.
 */
export async function signIn(
  store: Store,
  link: string,
  { device, now, replaced }: SignInOptions,
): Promise<OpenedSession> {
  if (!LINK_FORMAT.test(link)) throw linkInvalid();

  const secret = generateSecret('session');
  const row = {
    linkHash: hashKey(link),
    hash: hashKey(secret),
    device,
    now,
    expiresAt: now + SESSION_MS,
  };
  await store.writeUnlocked(async (all) => {
    if (!(await redeemSignInLink(all, row))) throw linkInvalid();
    const before =
      replaced === undefined ? undefined : await activeSession(all, hashKey(replaced), now);
    if (before) await revoke(store, all, { id: before.session_id, companyId: before.id, now });
  });

  return { secret, maxAgeMs: SESSION_MS };
}

const SESSION: Credential = {
  name: 'session',
  scopeHint: () => 'Ask an OWNER of the company to do it.',
};

/** Reads the role at every call, so that a change of it takes effect at once. */
export function identifyBySession(
  secret: string | undefined,
  clock: () => number,
  onUse: (sessionId: number) => void = () => undefined,
): Identify {
  const identify: Identify = async (all) => {
    if (secret === undefined || !SESSION_FORMAT.test(secret)) throw signInNeededError();

    const now = clock();
    const session = await activeSession(all, hashKey(secret), now);
    if (session === undefined) throw signInNeededError();

    const {
      user_id: userId,
      user_email: _,
      user_role: role,
      session_id,
      session_last_used_at: usedAt,
      ...company
    } = session;
    if (isUseToRecord(usedAt, now)) onUse(session_id);

    return {
      company,
      confirm: identify,
      credentialId: `session ${session_id}`,
      // A person enters what the page writes.
      source: 'manual',
      sessionId: session_id,
      caller: {
        id: `user:${userId}`,
        companyId: company.id,
        userId,
        role,
        scopes: SCOPES.filter((scope) => mayHold(role, scope)),
        credential: SESSION,
      },
    };
  };

  return identify;
}

type SessionState = 'link' | 'active' | 'expired' | 'revoked';

function sessionStateAt(
  { signed_in_at, expires_at, revoked_at }: SessionRow,
  now: number,
): SessionState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at <= now) return 'expired';
  return signed_in_at === null ? 'link' : 'active';
}

const sessionListing = (
  row: SessionRow & { email: string },
  { id, name }: CompanyRow,
  now: number,
) => ({
  id: row.id,
  state: sessionStateAt(row, now),
  company: { id, name },
  user: { id: row.user_id, email: row.email },
  device: row.device,
  createdAt: row.created_at,
  signedInAt: row.signed_in_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});

export type SessionListing = ReturnType<typeof sessionListing>;

export async function listSessions(
  store: Store,
  company: CompanyRow | null,
  now: number,
): Promise<SessionListing[]> {
  return store.readAll(async (all) => {
    const listings: SessionListing[] = [];
    for (const listed of company ? [company] : await allCompanies(all))
      for (const row of await sessionsOfCompany(store.scopeToCompany(all, listed.id)))
        listings.push(sessionListing(row, listed, now));
    return listings.sort((a, b) => a.id - b.id);
  });
}

/** Ends a link too that was not used yet. */
export async function endSession(store: Store, id: number, now: number): Promise<void> {
  const session = await store.readAll((all) => sessionById(all, id));
  if (!session)
    throw notFoundError(`There is no session #${id}.`, '"acequia keys sessions" lists them.');
  await store.writeUnlocked((all) =>
    revoke(store, all, { id, companyId: session.company_id, now }),
  );
}

async function revoke(
  store: Store,
  all: Kysely<Tables>,
  { id, companyId, now }: { id: number; companyId: number; now: number },
): Promise<void> {
  await revokeSession(all, id, now);
  // Open event streams then check whether their session is still valid.
  announceChange(store.scopeToCompany(all, companyId), []);
}

const NEW_LINK =
  'an OWNER of the farm makes one with the tool create_sign_in_link, and "acequia keys link --user ADDRESS" prints one.';

export const signInNeededError = (): AcequiaError =>
  new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: 'Nobody is signed in here, or the session has ended.',
    hint: `Ask for a sign-in link: ${NEW_LINK}`,
  });

const linkInvalid = (): AcequiaError =>
  new AcequiaError({
    code: 'link_invalid',
    status: 401,
    message: 'The link was already used, has expired, or is not complete.',
    hint: `Ask for a new one: ${NEW_LINK}`,
  });
