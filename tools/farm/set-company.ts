import { z } from 'zod/v3';
import { summarizeCompanyEntry } from '../../src/language/company/farm-entry-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { companyAnswer, companyEntry } from '../../src/schema/farm/farm-entry.ts';
import { setCompany } from '../../src/service/farm/company-entry.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'set_company',
  title: 'Set up the company',
  description:
    'Create the company (the farm) of an empty store with name, timezone and ownerEmail, or ' +
    'change it; the rest stays. To see it use get_company.',
  toolset: 'farm',
  endpoint: { method: 'PUT', path: '/company', status: 200 },
  scope: 'company:write',
  effect: 'update',
  rest: {
    errorCodes: { 400: ['AMBIGUOUS_NAME'], 403: ['insufficient_role'] },
  },
  worksWithoutCompany: true,
  input: z.strictObject(companyEntry),
  output: companyAnswer,
  pendingWork: () => [pendingChangeParts],
  run: setCompany,
  summary: summarizeCompanyEntry,
});
