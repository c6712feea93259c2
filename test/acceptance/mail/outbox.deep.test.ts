// With calls while a mail server is silent too.
import './outbox.test.ts';
