import type { Call } from '../operation/call.ts';
import type { UserBody } from '../schema/user.ts';
import { allUsers } from '../store/users.ts';

/** The members of the company, as others refer to them by userId. */
export async function listUsers(call: Call): Promise<{ data: UserBody[] }> {
  const users = await allUsers(call.db);
  return {
    data: users.map(({ id, name, email, role }) => ({
      userId: String(id),
      name,
      email,
      role: role as UserBody['role'],
    })),
  };
}
