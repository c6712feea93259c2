import { describeRandomClaims } from '../oauth/random-claims.ts';

describeRandomClaims();
