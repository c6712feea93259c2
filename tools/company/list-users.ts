import { z } from 'zod';
import { operation } from '../../src/operation/operation.ts';
import { user } from '../../src/schema/user.ts';
import { summarizeUsers } from '../../src/service/say-place.ts';
import { listUsers } from '../../src/service/users.ts';

export default operation({
  name: 'list_users',
  title: 'List members',
  description:
    'List the members of the company with userId, name, e-mail and role: who is behind a userId of an annotation or an alert.',
  toolset: 'company',
  endpoint: { method: 'GET', path: '/company/users', status: 200 },
  scope: 'company:read',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ data: z.array(user) }),
  run: (call) => listUsers(call),
  summary: summarizeUsers,
});
