import type { Kysely } from 'kysely';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { type Credential, type Identify, mayHold } from '../../operation/authorization.ts';
import { AcequiaError, notFoundError } from '../../schema/error.ts';
import { SCOPES } from '../../schema/scope.ts';
import { allCompanies, type CompanyRow } from '../../store/company/companies.ts';
import { announceChange } from '../../store/company-changes.ts';
import {
  activeSession,
  revokeSession,
  type SessionRow,
  sessionById,
  sessionsOfCompany,
} from '../../store/keys/sessions.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { hashKey, isUseToRecord } from './api-keys.ts';

const SESSION_FORMAT = /^acequia_session_[\w-]{43}$/;

const SESSION: Credential = {
  name: 'session',
  scopeHint: () => say`Ask an OWNER of the company to do it.`,
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

/** The id may be that of a sign-in link, used or not. */
export async function endSession(store: Store, id: number, now: number): Promise<void> {
  const session = await store.readAll((all) => sessionById(all, id));
  if (!session)
    throw notFoundError(say`There is no session #${id}.`, say`"acequia keys sessions" lists them.`);
  await store.writeUnlocked((all) =>
    revoke(store, all, { id, companyId: session.company_id, now }),
  );
}

export async function revoke(
  store: Store,
  all: Kysely<Tables>,
  { id, companyId, now }: { id: number; companyId: number; now: number },
): Promise<void> {
  await revokeSession(all, id, now);
  // Open event streams then check whether their session is still valid.
  announceChange(store.scopeToCompany(all, companyId), []);
}

/** How to get a sign-in link, for the hints of errors. */
export const NEW_LINK = say`an OWNER of the farm makes one with the tool ${operationName('create_sign_in_link')}, and "acequia keys link --user ADDRESS" prints one.`;

export const signInNeededError = (): AcequiaError =>
  new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: say`Nobody is signed in here, or the session has ended.`,
    hint: say`Ask for a sign-in link: ${NEW_LINK}`,
  });
