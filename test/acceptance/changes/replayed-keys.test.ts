import { describeKeysOfWords, KEY_TRANSPORTS } from './replayed-key-stories.ts';

describeKeysOfWords(KEY_TRANSPORTS);
