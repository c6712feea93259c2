import { describeRandomClaims, IDENTIFYING_CLAIMS } from '../oauth/random-claims.ts';

describeRandomClaims(IDENTIFYING_CLAIMS);
