import { z } from 'zod';

/** A member of the company. */
export const user = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['OWNER', 'MANAGER', 'VIEWER']),
});
export type UserBody = z.output<typeof user>;
