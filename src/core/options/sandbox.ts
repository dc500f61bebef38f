/** What sandboxed commands may reach on the network. */
export interface SandboxNetworkConfig {
  /** Domains that may be reached unasked; `*.example.com` is fine. */
  allowedDomains?: string[];
  /** Domains that are never reached. */
  deniedDomains?: string[];
  /** What is not in `allowedDomains` is refused instead of asked about. */
  strictAllowlist?: boolean;
  /** Managed settings only: allowed domains of others do not count. */
  allowManagedDomainsOnly?: boolean;
  /** macOS: sockets that may be used. */
  allowUnixSockets?: string[];
  /** Any socket may be used. */
  allowAllUnixSockets?: boolean;
  /** macOS: ports of the local host may be listened on. */
  allowLocalBinding?: boolean;
  /** macOS: Mach services that may be looked up. */
  allowMachLookup?: string[];
  /** The local port of an HTTP proxy to use instead of the CLI's own. */
  httpProxyPort?: number;
  /** The local port of a SOCKS5 proxy to use instead of the CLI's own. */
  socksProxyPort?: number;
  /** TLS ends in the sandbox's proxy, with this certificate or one of its own. Experimental. */
  tlsTerminate?: { caCertPath?: string; caKeyPath?: string };
}

/** What sandboxed commands may reach on disk. */
export interface SandboxFilesystemConfig {
  /** Paths that may be written. */
  allowWrite?: string[];
  /** Paths that may not be written. */
  denyWrite?: string[];
  /** Paths that may not be read. */
  denyRead?: string[];
  /** Paths inside `denyRead` that may be read all the same. */
  allowRead?: string[];
  /** Managed settings only: `allowRead` of others does not count. */
  allowManagedReadPathsOnly?: boolean;
  /** Files are not fenced off; the network still is. */
  disabled?: boolean;
}

/** How one secret is kept from sandboxed commands. */
export interface SandboxCredentialRule {
  /** Refused altogether, or shown as a stand-in that the proxy replaces on the way out. */
  mode: "deny" | "mask";
  /** A regular expression whose first group is what is masked. */
  extract?: string;
  /** What to do when nothing matches. Default `warn`, which leaves it readable. */
  onExtractNoMatch?: "deny" | "error" | "warn";
  /** The form the secret has. */
  decode?: "jwt";
  /** Claims to mask inside a decoded token, instead of all of it. */
  maskClaims?: string[];
  /** Hosts the real value is sent to. Default: the allowed domains. */
  injectHosts?: string[];
}

/** Which secrets are kept from sandboxed commands. */
export interface SandboxCredentialsConfig {
  /** Files and directories that hold secrets. */
  files?: (SandboxCredentialRule & { path: string; maskDuplicates?: boolean })[];
  /** Variables that hold secrets. */
  envVars?: (SandboxCredentialRule & { name: string })[];
  /** Real values are sent over plain HTTP, too. */
  allowPlaintextInject?: boolean;
  /** Masked variables that together are AWS credentials. */
  awsPairs?: { accessKeyIdVar: string; secretAccessKeyVar: string; sessionTokenVar?: string }[];
  /** What is done with AWS requests that cannot be signed again. */
  sigv4?: {
    streaming?: "deny" | "passthrough";
    presigned?: "deny" | "passthrough";
    sigv4a?: "deny" | "passthrough";
  };
}

/** Violations that are not reported, by command. */
export type SandboxIgnoreViolations = Record<string, string[]>;

/** The sandbox the CLI runs commands in. Other keys pass through. */
export interface SandboxSettings {
  /** Commands run in a sandbox. */
  enabled?: boolean;
  /** Start-up fails where no sandbox can be made. True when `enabled` is and nothing else is said. */
  failIfUnavailable?: boolean;
  /** Commands in the sandbox run unasked. */
  autoAllowBashIfSandboxed?: boolean;
  /** A call may ask to run outside. Default true. */
  allowUnsandboxedCommands?: boolean;
  /** What may be reached on the network. */
  network?: SandboxNetworkConfig;
  /** What may be reached on disk. */
  filesystem?: SandboxFilesystemConfig;
  /** Which secrets are kept away. */
  credentials?: SandboxCredentialsConfig;
  /** Violations that are not reported. */
  ignoreViolations?: SandboxIgnoreViolations;
  /** Linux: no `/proc` of its own, for containers that cannot have one. Weaker. */
  enableWeakerNestedSandbox?: boolean;
  /** Linux: commands may make user namespaces. */
  allowNestedUserNamespaces?: boolean;
  /** macOS: the system's trust service may be reached. Weaker. */
  enableWeakerNetworkIsolation?: boolean;
  /** macOS: Apple Events may be sent. Weaker. */
  allowAppleEvents?: boolean;
  /** Commands that run outside. */
  excludedCommands?: string[];
  /** The search program to use. */
  ripgrep?: { command: string; args?: string[] };
  /** Linux: the bubblewrap program. Managed settings only. */
  bwrapPath?: string;
  /** Linux: the socat program. Managed settings only. */
  socatPath?: string;
  /** Other keys pass through. */
  [key: string]: unknown;
}
