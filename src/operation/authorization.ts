import { AcequiaError } from '../schema/error.ts';
import type { Role, Scope } from '../schema/scope.ts';

export interface Caller {
  /** Owns the idempotency records: the key, or the local owner. */
  readonly id: string;
  readonly companyId: number;
  readonly userId: number | null;
  readonly role: Role;
  readonly scopes: readonly Scope[];
}

interface OperationAccess {
  readonly name: string;
  readonly scope: Scope;
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

export const mayCall = (caller: Caller, access: OperationAccess): boolean => accessRefusal(caller, access) === null;

function accessRefusal(caller: Caller, { name, scope, effect }: OperationAccess): AcequiaError | null {
  if (!caller.scopes.includes(scope))
    return forbidden(
      'insufficient_scope',
      `${name} needs the scope ${scope}, which this key does not have.`,
      'Use a key with that scope.',
    );
  if (effect !== 'read' && caller.role === 'VIEWER')
    return forbidden(
      'insufficient_role',
      `${name} writes, and a VIEWER only reads.`,
      'Ask an OWNER or a MANAGER of the company to do it.',
    );
  if (scope === 'users:admin' && caller.role !== 'OWNER')
    return forbidden('insufficient_role', `${name} is for an OWNER.`, 'Ask an OWNER of the company to do it.');
  return null;
}

const forbidden = (code: string, message: string, hint: string): AcequiaError =>
  new AcequiaError({ code, status: 403, message, hint });
