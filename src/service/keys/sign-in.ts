import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { quotedName, say } from '../../domain/text/say.ts';
import type { Call } from '../../operation/call.ts';
import type { SignInLinkBody } from '../../schema/company/company.ts';
import { AcequiaError, notFoundError } from '../../schema/error.ts';
import { toIso } from '../../schema/wire-format.ts';
import {
  activeSession,
  addSession,
  deleteSessionsExpiredBefore,
  linkOwner,
  redeemSignInLink,
} from '../../store/keys/sessions.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { hashKey } from './api-keys.ts';
import { findMember, type Member, membersOf, resolveMember } from './members.ts';
import { NEW_LINK, revoke } from './sessions.ts';

const LINK_MS = DAY_MS;
/** Shorter, because the link remains in the chat with the assistant. */
const CHAT_LINK_MS = HOUR_MS;
const SESSION_MS = 90 * DAY_MS;
/** How long an ended session stays in the list. */
const LISTED_AFTER_END_MS = 30 * DAY_MS;

const LINK_FORMAT = /^acequia_link_[\w-]{43}$/;

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
 * The default is the OWNER who calls, or the first OWNER on a local store, where the caller is not a
 * user.
 */
async function memberFor(
  { db, company, caller }: Call,
  email: string | undefined,
): Promise<Member> {
  if (email === undefined)
    return resolveMember(db, company, caller.userId === null ? undefined : String(caller.userId));
  const member = findMember(await membersOf(db), email);
  if (!member)
    throw notFoundError(
      say`The company has no member ${quotedName(email)}.`,
      say`See ${operationName('list_users')}.`,
    );
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
  if (!owner) throw invalidLinkError();
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
  if (!LINK_FORMAT.test(link)) throw invalidLinkError();

  const secret = generateSecret('session');
  const row = {
    linkHash: hashKey(link),
    cookieHash: hashKey(secret),
    device,
    now,
    expiresAt: now + SESSION_MS,
  };
  await store.writeUnlocked(async (all) => {
    if (!(await redeemSignInLink(all, row))) throw invalidLinkError();
    if (replaced === undefined) return;

    const session = await activeSession(all, hashKey(replaced), now);
    if (session) await revoke(store, all, { id: session.session_id, companyId: session.id, now });
  });

  return { secret, maxAgeMs: SESSION_MS };
}

const invalidLinkError = (): AcequiaError =>
  new AcequiaError({
    code: 'link_invalid',
    status: 401,
    message: say`The link was already used, has expired, or is not complete.`,
    hint: say`Ask for a new one: ${NEW_LINK}`,
  });
