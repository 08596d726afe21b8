import type {SetupError} from '../errors/errors.ts';
import type {Message, Question} from './messages/message.ts';
import type {Session} from './session.ts';

/** Who answers an assistant in the place of a server that cannot be reached. */
export type StandIn = {
  /**
   * How long a server is waited for before it counts as one that cannot be reached, in milliseconds: at the handshake, and
   * at each request that comes after one that it has not answered.
   */
  readonly patience: {readonly handshake: number; readonly request: number};
  /**
   * Takes what is meant for it and for no server: a call of a tool of its own, an answer to a question of its own.
   *
   * @returns false for everything else
   */
  takes(message: Message): boolean;
  /** The same failure, with a remedy for the person behind the assistant. */
  explain(failure: SetupError): Promise<SetupError>;
  /**
   * Answers one request of a message that failed.
   *
   * @param failure as `explain` gives it
   * @returns undefined where the failure itself is the answer
   */
  answer(question: Question, message: Message, failure: SetupError, session: Session): Promise<Buffer | undefined>;
  /** The assistant has begun its session, and nobody but this has answered it. */
  begun(): void;
  /** A server has taken a message. */
  taken(message: Message): void;
  /** The assistant has been given a server's list of tools. */
  listed(): void;
  /** A server that could not be reached at the handshake has made it now. */
  arrived(session: Session): void;
};
