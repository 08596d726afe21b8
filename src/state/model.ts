import type {Assistant} from '../assistants/assistant.ts';
import type {Place} from '../assistants/place.ts';
import type {Context, ContextEntry, Deployment, DeploymentChoice, NetworkSettings} from '../domain/context.ts';
import type {CodeTerms} from '../domain/credentials.ts';
import type {Verdict} from '../domain/finding.ts';
import type {McpServer} from '../domain/mcp-servers.ts';
import type {OwnCommand} from '../domain/own-command.ts';
import type {Secret} from '../domain/secret.ts';
import type {SaidRequest, SignInLevel} from '../domain/token-request.ts';
import type {ServerTokens, Token} from '../domain/tokens.ts';
import type {ToolCost, ToolPreset} from '../domain/tool-sets.ts';
import type {About, ErrorCode, Whose} from '../errors/errors.ts';
import type {FoundAssistant} from '../flows/assistants/find-assistants.ts';
import type {Plan} from '../flows/assistants/plan-files.ts';
import type {VerifiedServer} from '../flows/assistants/verify-entries.ts';
import type {Written} from '../flows/assistants/write-files.ts';
import type {CliClient} from '../flows/deployment/find-cli-client.ts';
import type {Untrusted} from '../flows/deployment/untrusted.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {FoundOwnCli, PlannedCli} from '../flows/own-cli/plan-own-cli.ts';
import type {ConnectionReport} from '../flows/platform-tools/check-connection.ts';
import type {CreatedClient} from '../flows/sign-in/create-client.ts';
import type {OwnToken} from '../flows/sign-in/own-token.ts';
import type {InspectedSignIn, OtherContext} from '../flows/sign-in/resume-sign-in.ts';
import type {GivenAddresses} from '../platform/addresses.ts';
import type {CompanyFile} from '../platform/company-file.ts';
import type {Layout, Platform} from '../platform/platform.ts';
import type {BrowserObstacle} from '../ports/ports.ts';
import type {NetworkAnswers} from './network-answers.ts';
import type {Agreed, AssistantSelection} from './selection.ts';
import type {StepId} from './step-id.ts';

export type {StepId} from './step-id.ts';

/** The ways to sign in that the wizard offers. */
export type SignIn = 'browser' | 'create-mcp-client' | 'mcp-client' | 'service-account';

/** What stays the same for a whole run: decided by flags and by where the program was started. */
export type Settings = Agreed & {
  /** The kind of platform, until what answers has said which it is. */
  readonly platform: Platform;
  /** The kinds that it may be; only `platform` where these are absent. */
  readonly kinds?: readonly Platform[];
  /** This program's. Without it no company file is looked for, which says which version it is for. */
  readonly version?: string;
  /** The company file that the person named. */
  readonly companyFile?: CompanyFile;
  readonly place: Place;
  /** Every assistant that this program knows. */
  readonly assistants: readonly Assistant[];
  /** How this program is started again by them. */
  readonly own: OwnCommand;
  /** The MCP servers that are entered; both unless the person says otherwise. */
  readonly servers?: readonly McpServer[];
  /** What the choice of assistants begins with, where it is not made by a flag. */
  readonly connect?: Partial<Omit<AssistantSelection, 'assistants'>>;
  /** Set where `mcp.json` was asked for, in the shape that the platform documents. */
  readonly isDocumentedShape?: true;
  /** The client that assistants sign in with by themselves, as the person has said. */
  readonly oauthClient?: string;
  readonly layout: Layout | 'auto';
  /** The command that signs in to the platform that flags have named, for remedies. */
  readonly signInCommand?: string;
  /** The name to save the context under; by default it comes from the base domain. */
  readonly contextName?: string;
  /** Where the browser is sent back to, if not to the platform's own redirect URL. */
  readonly redirectUri?: string;
  /** What tokens are to be for, as the person has said. */
  readonly asks?: SaidRequest;
  /** Whether an identity provider that does not list PKCE is gone on with. */
  readonly assumesPkce?: true;
  /** The way to the platform, as flags, the saved context or the environment have it. */
  readonly network?: NetworkSettings;
  /** False where no browser is to be opened. */
  readonly openBrowser: boolean;
  readonly code?: CodeTerms;
  /** Whether nobody would see an address that is shown. */
  readonly isUnseen?: true;
  /** Why none can be. */
  readonly obstacle?: BrowserObstacle;
  /** What an MCP client of this person on this machine is called. */
  readonly ownClientId?: string;
  /** Only the sign-in is wanted, with the renewal of what holds it: it is kept as soon as it is there. */
  readonly login?: boolean;
  /** The names of saved contexts, and whose they are. */
  readonly taken?: readonly {readonly name: string; readonly baseDomain: string; readonly isCurrent?: true}[];
  /** The answers of a run that was left before its end. */
  readonly unfinished?: Unfinished;
  /** The saved context that this run is about, unless it begins anew. */
  readonly saved?: Context;
  /** The answers that sign in to it the way it was done before. */
  readonly again?: Answers;
  /** Answers that come with a way to sign in, because flags, the environment or the demonstration gave them. */
  readonly presets: {readonly [S in SignIn]?: Partial<Answers>};
  /** A client's, given before it is known which kind of client it belongs to. */
  readonly clientSecret?: Secret;
  /** Where the client secret came from, in words, when it was not typed here. */
  readonly secretFrom?: string;
  /** How the saved context signed in, and with which secret where a client did. It belongs to that identity provider. */
  readonly lastSignIn?: {
    readonly issuer: string;
    readonly way: SignIn;
    readonly preset?: Partial<Answers>;
    /** The secret that is saved, whatever flags or the environment say. */
    readonly kept?: Secret;
  };
  /** The way to sign in that is chosen unless the person says otherwise. */
  readonly suggested?: SignIn;
  /** The demonstration: a sandbox platform, and a directory that holds its home and its project, gone when it ends. */
  readonly demo?: {
    readonly directory: string;
    /** Whether the directory stays. */
    readonly isKept?: true;
    readonly account?: Readonly<Record<'username' | 'password', string>>;
  };
};

/** What the person said, by flag or by key. */
export type Answers = NetworkAnswers &
  Agreed & {
    /** Whether an unfinished run is gone on with. */
    readonly begun?: 'go-on' | 'anew';
    readonly baseDomain?: string | undefined;
    readonly addresses?: GivenAddresses;
    /** Whether the company file that there is counts. */
    readonly company?: 'use' | 'without';
    readonly deploymentAccepted?: true;
    /** What to do about a saved context. What signing in again and renewing change is known, so it is not reviewed. */
    readonly resume?: 'sign-in' | 'renew' | 'connect' | 'anew';
    /** Whether the person has chosen to sign in, where the saved sign-in would have done: it is not renewed first. */
    readonly signInAnew?: true;
    readonly signIn?: SignIn;
    /** How the answer comes back: by itself, by hand, or by a code on another machine. */
    readonly signInBy?: 'browser' | 'paste' | 'device';
    /** Whether an identity provider that does not list PKCE is gone on with. */
    readonly assumesPkce?: true;
    readonly clientId?: string;
    /** The way to sign in that it was named for, where it was named with one: it is nobody in another. */
    readonly clientFor?: SignIn;
    readonly clientSecret?: Secret;
    readonly clientEntered?: true;
    readonly adminUsername?: string;
    readonly applicationId?: string;
    readonly adminPassword?: Secret;
    readonly adminEntered?: true;
    readonly existingClient?: 'refuse' | 'reset-secret';
    /** What is done about an account without a role: one is waited for, or done without. */
    readonly role?: 'wait' | 'without';
    readonly connect?: AssistantSelection;
    /** Whether the platform's own CLI is signed in too. */
    readonly ownCli?: boolean;
    readonly contextName?: string;
    /** The scopes to request instead of the platform's. */
    readonly scopes?: readonly string[];
    /** How the person has to sign in, as a server demands it. */
    readonly level?: SignInLevel;
    readonly changesAccepted?: true;
  };

/**
 * What is kept of a run that was left. `hadSecret`: the person had typed a secret that is not kept, and is asked for
 * again. `savedClient`: the MCP client whose secret is kept. `terms`: what flags said that no question asks for.
 */
export type Unfinished = Answers & {readonly hadSecret?: true; readonly savedClient?: string; readonly terms?: Terms};

/** What flags have said of the sign-in of people. */
export type Terms = Pick<Settings, 'redirectUri' | 'asks' | 'assumesPkce'>;

/** What was learned, by which step. */
export type Facts = {
  readonly inspectedSignIn?: InspectedSignIn;
  /** The other saved deployments. */
  readonly otherContexts?: readonly OtherContext[];
  /** The authority that the cluster told. */
  readonly clusterAuthority?: {readonly pem: string};
  /** The company file of a base domain, as the person gave that; absent where it has none. */
  readonly companyFile?: {readonly baseDomain: string; readonly file?: CompanyFile};
  readonly deployment?: Deployment;
  /** The platforms that it may be, where nobody said which and there is more than one. */
  readonly deploymentChoices?: readonly DeploymentChoice[];
  /** Whether an MCP client of this ID is kept from an earlier run. */
  readonly keptClient?: {readonly clientId: string; readonly isKept: boolean};
  readonly client?: CreatedClient;
  readonly cliClient?: CliClient;
  readonly token?: Token;
  /** The access tokens that servers have of their own. */
  readonly serverTokens?: ServerTokens;
  /** For which resources servers want a token of their own, as the check has found out. */
  readonly ownResources?: {readonly [S in McpServer]?: string};
  /** What came of asking for these. */
  readonly ownTokens?: {readonly [S in McpServer]?: OwnToken};
  readonly signInSaved?: true;
  /** The entries of the saved context as they are by now: another run may have written some since this one began. */
  readonly entries?: readonly ContextEntry[];
  readonly check?: ConnectionReport;
  readonly found?: readonly FoundAssistant[];
  /** What the control plane’s tools of these presets take; undefined for those of which that cannot be found out. */
  readonly toolCosts?: {readonly [P in ToolPreset]?: ToolCost | undefined};
  /** The client that assistants sign in with by themselves, and why that cannot be in some, by their IDs. */
  readonly oauthClient?: {readonly clientId: string; readonly refused: Readonly<Record<string, string>>};
  readonly ownCli?: FoundOwnCli;
  /** Files with entries that were to be renewed and cannot be edited, with why, as a sentence. They are left alone. */
  readonly unreadable?: readonly {readonly path: string; readonly problem: string}[];
  readonly plan?: Plan;
  readonly plannedCli?: PlannedCli;
  readonly written?: Written;
  readonly verified?: readonly VerifiedServer[];
  /** What the diagnosis came to that the person has looked at last. */
  readonly diagnosed?: Verdict;
};

/** A sign-in that the person went back from, with what it takes to go on with it after all. */
export type SignInLeft = {
  /** Whose sign-in it is. */
  readonly issuer: string | undefined;
  readonly answers: Partial<Answers>;
  readonly facts: Pick<Facts, 'token'> & Partial<Facts>;
};

/** A failure as it is shown. `step` is where it happened. */
export type Failure = {
  readonly step: StepId;
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
  /** The same for somebody who can answer a question instead, where that is less. */
  readonly advice?: string;
  /** Lines that the remedy ends with, such as a command with its input, to be copied as they are. */
  readonly block?: string;
  readonly whose: Whose;
  /** The facts of the error. */
  readonly about?: About;
  /** Who vouches for the server, where it failed because nobody here trusts them. */
  readonly untrusted?: Untrusted;
};

/** A failure that the person has answered, with what was known then; without one, the platform that was found then. */
export type AnsweredFailure = Pick<WizardState, 'answers' | 'facts' | 'progress' | 'answeredFailure'> & {
  readonly failure?: Failure;
};

export type WizardState = {
  readonly settings: Settings;
  /** What flags and the environment answered before anything was asked. */
  readonly given: Answers;
  readonly answers: Answers;
  readonly facts: Facts;
  /** The step that runs, or ran last, and what it has told. */
  readonly progressOf?: StepId;
  readonly progress: readonly FlowEvent[];
  /** The calls made so far, as they may be shown. */
  readonly calls: readonly CallLine[];
  readonly warnings: readonly string[];
  /** The names of the assistants that a first look around has found; absent until somebody has looked. */
  readonly seen?: readonly string[];
  /** Which assistants were chosen last, also when that is asked again. */
  readonly chosen?: AssistantSelection;
  /** The presets of tools that the person has looked at. */
  readonly looked?: readonly ToolPreset[];
  /** The questions that the person has answered in this run: Esc leads back to these. */
  readonly asked: readonly StepId[];
  /** The sign-in that was there when the person went back to choose: it can be stayed with. */
  readonly left?: SignInLeft;
  /** The way to sign in that failed, from which the person went back to choose another. */
  readonly failedWay?: SignIn;
  /** Clients that this run created: setting new secrets for them harms nobody. */
  readonly created: readonly string[];
  readonly failure?: Failure;
  /** The failure that was answered last, as long as nothing has come of the answer: Esc leads back to it. */
  readonly answeredFailure?: AnsweredFailure;
  /** The answers that were taken back with that, as suggestions. */
  readonly takenBack?: Answers;
};

export type CallLine = {
  readonly call: number;
  readonly step: StepId;
  readonly method: string;
  readonly url: string;
  /** Absent while it is under way. `result` is the status, or why there is none. */
  readonly answer?: {readonly result: string; readonly failed: boolean; readonly ms: number; readonly curl: string};
};

export const initialState = (settings: Settings, answers: Answers = {}): WizardState => ({
  settings,
  given: answers,
  answers,
  facts: {},
  ...{progress: [], calls: [], warnings: [], created: [], asked: []},
});
