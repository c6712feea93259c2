import { CLAIMS, describeRandomClaims } from '../oauth/random-claims.ts';

describeRandomClaims(CLAIMS);
