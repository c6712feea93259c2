import { describeRandomClaims } from './random-claims.ts';

describeRandomClaims();
