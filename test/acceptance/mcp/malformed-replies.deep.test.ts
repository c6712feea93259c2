// Every malformed reply.
import './malformed-replies.test.ts';
