import { z } from 'zod/v3';
import { summarizeSignInLink } from '../../src/language/company/place-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { signInLink, signInLinkFields } from '../../src/schema/company/company.ts';
import { linkForMember } from '../../src/service/keys/sign-in.ts';

export default operation({
  name: 'create_sign_in_link',
  title: 'Create a sign-in link',
  description:
    'Make a link that signs a member in to the live page, once, within an hour. ' +
    'It is not mailed: give it to that person alone.',
  toolset: 'keys',
  endpoint: { method: 'POST', path: '/company/sign-in-links', status: 201 },
  scope: 'users:admin',
  effect: 'create',
  rest: {
    errorCodes: { 400: ['AMBIGUOUS_NAME'], 404: ['not_found'] },
  },
  answerIsSecret: true,
  input: z.strictObject(signInLinkFields),
  output: signInLink,
  run: linkForMember,
  summary: summarizeSignInLink,
});
