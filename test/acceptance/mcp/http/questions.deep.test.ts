import { describeSharedSecret } from './question-scenarios.ts';

describeSharedSecret();
