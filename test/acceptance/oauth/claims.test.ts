import { describeRandomClaims, READ_CLAIMS } from './random-claims.ts';

describeRandomClaims(READ_CLAIMS);
