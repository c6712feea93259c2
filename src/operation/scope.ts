import { AcequiaError } from '../schema/error.ts';

export const SCOPES = [
  'irrigation:write',
  'alerts:write',
  'annotations:write',
  'annotations:read',
  'readings:read',
  'soil:write',
  'agronomy:read',
  'catalog:read',
  'parcels:read',
  'company:read',
  'users:admin',
] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ['OWNER', 'MANAGER', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks: the company everything is confined to, and what may be done there. */
export interface Caller {
  /** Under which the idempotency records stand: the key, or the local owner. */
  readonly id: string;
  readonly companyId: number;
  readonly userId: number | null;
  readonly role: Role;
  readonly scopes: readonly Scope[];
}

/** Refuses what the caller's scopes or role do not allow: 403. */
export function authorize(caller: Caller, asked: { name: string; scope: Scope; effect: string }): void {
  if (!caller.scopes.includes(asked.scope))
    throw new AcequiaError({
      code: 'insufficient_scope',
      status: 403,
      message: `${asked.name} needs the scope ${asked.scope}, which this key does not have.`,
      hint: 'Use a key with that scope.',
    });
  if (asked.effect !== 'read' && caller.role === 'VIEWER')
    throw new AcequiaError({
      code: 'insufficient_role',
      status: 403,
      message: `${asked.name} writes, and a VIEWER only reads.`,
      hint: 'Ask an OWNER or a MANAGER of the company to do it.',
    });
  if (asked.scope === 'users:admin' && caller.role !== 'OWNER')
    throw new AcequiaError({
      code: 'insufficient_role',
      status: 403,
      message: `${asked.name} is for an OWNER.`,
      hint: 'Ask an OWNER of the company to do it.',
    });
}
