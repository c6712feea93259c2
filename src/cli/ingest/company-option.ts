import { plainInputError } from '../../schema/error.ts';

export function assertNoCompanyOption(company: string | undefined): void {
  if (company === undefined) return;
  throw plainInputError('invalid_parameter', 'The key of the service decides the company.', {
    hint: 'Leave --company out.',
    field: '--company',
  });
}
