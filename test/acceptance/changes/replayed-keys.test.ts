import { describeKeysOfWords } from './replayed-key-stories.ts';

describeKeysOfWords(['the store', 'a remote service']);
