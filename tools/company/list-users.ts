import { z } from 'zod/v3';
import { summarizeUsers } from '../../src/language/company/place-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { user } from '../../src/schema/company/company.ts';
import { listOf } from '../../src/schema/shared-fields.ts';
import { listUsers } from '../../src/service/company/company.ts';

export default operation({
  name: 'list_users',
  title: 'List members',
  description: 'List the members with userId, name, e-mail and role.',
  toolset: 'company',
  endpoint: { method: 'GET', path: '/company/users', status: 200 },
  scope: 'company:read',
  effect: 'read',
  input: z.strictObject({}),
  output: listOf(user),
  run: (call) => listUsers(call),
  summary: summarizeUsers,
});
