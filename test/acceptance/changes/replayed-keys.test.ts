import { describeKeysOfWords } from './replayed-key-stories.ts';

describeKeysOfWords(['stdio', 'a remote service']);
