import { CLAIMS, describeRandomClaims } from './random-claims.ts';

describeRandomClaims(CLAIMS);
