import type { Kysely } from 'kysely';
import type { Taker } from '../domain/shares/shares.ts';
import { aside, operationName } from '../domain/text/program-names.ts';
import { say, sentences, verbatim } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';
import { AcequiaError } from '../schema/error.ts';
import type { WateringSource } from '../schema/irrigation/watering.ts';
import {
  isWebhookScope,
  type KeyScope,
  type Role,
  SCOPES,
  type Scope,
  type WebhookScope,
  webhookOf,
} from '../schema/scope.ts';
import { type CompanyRow, oldestTwoCompanies } from '../store/company/companies.ts';
import type { Tables } from '../store/tables.ts';

export interface Caller {
  /** Identifies the key, user or local owner. Each has its own idempotency keys. */
  readonly id: string;
  readonly companyId: number;
  readonly userId: number | null;
  readonly role: Role;
  readonly scopes: readonly KeyScope[];
  /** The credential that the caller sent, to which its scopes belong; default: a key. */
  readonly credential?: Credential;
}

/** The share of what is scarce that a caller uses. */
export const takerOf = ({ companyId, id }: Pick<Caller, 'companyId' | 'id'>): Taker => ({
  company: companyId,
  key: id,
});

export interface Credential {
  readonly name: 'key' | 'access token' | 'session';
  /** Says what to do without `scope`, or, if null, without any scope. */
  readonly scopeHint: (scope: Scope | null) => Text;
}

const KEY: Credential = { name: 'key', scopeHint: () => say`Use a key with that scope.` };

export interface OperationAccess {
  readonly name: string;
  readonly scope: Scope;
  readonly orScopes?: readonly Scope[] | undefined;
  readonly effect: string;
}

/** Source: spec, "Authentication". */
export function mayHold(role: Role, scope: Scope): boolean {
  if (scope === 'users:admin') return role === 'OWNER';
  return role !== 'VIEWER' || !scope.endsWith(':write');
}

export function authorize(caller: Caller, access: OperationAccess): void {
  const refusal = accessRefusal(caller, access);
  if (refusal) throw refusal;
}

export const mayCall = (caller: Caller, access: OperationAccess): boolean =>
  accessRefusal(caller, access) === null;

/**
 * The error if `access` is refused for its scope, or if the caller has no scope at all. Without
 * `access`, any scope is enough.
 */
export function scopeRefusal(
  caller: Caller,
  access: OperationAccess | undefined,
): InsufficientScopeError | null {
  const refusal = access ? accessRefusal(caller, access) : null;
  if (refusal instanceof InsufficientScopeError) return refusal;
  return caller.scopes.length === 0 ? new InsufficientScopeError(caller) : null;
}

/**
 * For a token or session, the role comes first: a person can grant more scopes, but none that their
 * role excludes.
 */
const accessRefusal = (caller: Caller, access: OperationAccess): AcequiaError | null =>
  caller.credential
    ? (roleRefusal(caller, access) ?? missingScopeRefusal(caller, access))
    : (missingScopeRefusal(caller, access) ?? roleRefusal(caller, access));

function missingScopeRefusal(
  caller: Caller,
  { name, scope, orScopes = [] }: OperationAccess,
): AcequiaError | null {
  const hasScope = [scope, ...orScopes].some((each) => caller.scopes.includes(each));
  return hasScope ? null : new InsufficientScopeError(caller, { name, scope });
}

function roleRefusal(
  caller: Caller,
  { name, scope, effect }: OperationAccess,
): AcequiaError | null {
  if (effect !== 'read' && caller.role === 'VIEWER')
    return insufficientRole(
      say`A viewer only reads${aside(say`${operationName(name)} writes`)}.`,
      say`Ask an OWNER or a MANAGER of the company to do it.`,
    );
  if (scope === 'users:admin' && caller.role !== 'OWNER')
    return insufficientRole(
      say`That is for an owner of the company${aside(operationName(name))}.`,
      say`Ask an OWNER of the company to do it.`,
    );
  return null;
}

export class InsufficientScopeError extends AcequiaError {
  /** Null if any scope would do. */
  readonly neededScope: Scope | null;

  constructor(
    { credential = KEY, scopes = [] }: Partial<Pick<Caller, 'credential' | 'scopes'>>,
    needed?: Pick<OperationAccess, 'name' | 'scope'>,
  ) {
    const scope = needed?.scope ?? null;
    const webhook = scopes.find(isWebhookScope);
    super({
      code: 'insufficient_scope',
      status: 403,
      message: needed
        ? say`This ${verbatim(credential.name)} does not permit that${aside(say`${operationName(needed.name)} needs the scope ${verbatim(String(scope))}`)}.`
        : say`This ${verbatim(credential.name)} permits nothing in Acequia.`,
      hint: webhook === undefined ? credential.scopeHint(scope) : webhookHint(webhookOf(webhook)),
    });
    this.neededScope = scope;
  }
}

const webhookHint = (name: string): Text =>
  say`The key is for the webhook ${verbatim(name)} alone: post its payloads to /v1/ingest/${verbatim(name)}, or use a key made for this.`;

const insufficientRole = (message: Text, hint: Text): AcequiaError =>
  new AcequiaError({ code: 'insufficient_role', status: 403, message, hint });

export interface Identity {
  readonly caller: Caller;
  readonly company: CompanyRow;
  readonly source?: WateringSource;
  /**
   * The id of the key or session. Absent for an access token, because each expires at a time of its
   * own.
   */
  readonly credentialId?: string;
  /** Set for a session of the page. */
  readonly sessionId?: number;
  /** Set for a key that may only call one webhook. */
  readonly webhook?: WebhookScope | undefined;
  /** Identifies the caller once more, because a key may be revoked while the body arrives. */
  readonly confirm?: Identify;
}

export type Identify = (all: Kysely<Tables>) => Promise<Identity>;

const SET_UP_IN_CONVERSATION = say`Set it up in this conversation: call ${operationName('set_company')} first, then ${operationName('set_parcel')} and ${operationName('set_module')}.`;

const SET_UP_IN_TERMINAL = say`In a terminal, "acequia init" asks for it, and "acequia demo" makes a farm to try it with.`;

/** Thrown by all operations that need a company. In a terminal the hint names no tool. */
export class NoCompanyError extends AcequiaError {
  constructor({ isInTerminal = false } = {}) {
    super({
      code: 'not_found',
      status: 404,
      message: say`There is no farm in this store yet.`,
      hint: sentences([isInTerminal ? null : SET_UP_IN_CONVERSATION, SET_UP_IN_TERMINAL]),
    });
  }
}

export const NO_COMPANY: CompanyRow = {
  id: 0,
  name: '',
  legal_name: null,
  country_code: null,
  currency: null,
  city: null,
  postal_code: null,
  region: null,
  timezone: null,
  units: null,
};

export const LOCAL_OWNER = { id: 'owner', role: 'OWNER', scopes: SCOPES } as const;

export const OWNER_WITHOUT_COMPANY: Identity = {
  caller: { ...LOCAL_OWNER, companyId: NO_COMPANY.id, userId: null },
  company: NO_COMPANY,
};

export async function ownerOfOnlyCompany(all: Kysely<Tables>): Promise<Identity> {
  const [company, another] = await oldestTwoCompanies(all);
  if (!company) throw new NoCompanyError();
  if (another)
    throw new AcequiaError({
      code: 'unauthenticated',
      status: 401,
      message: say`The store contains several companies, and the call does not say which one.`,
      hint: say`Put a key of the company into ACEQUIA_API_KEY: "acequia keys create --preset assistant --company NAME" makes one. Or use a store with one company (--db).`,
    });

  return { caller: { ...LOCAL_OWNER, companyId: company.id, userId: company.owner_id }, company };
}
