/** An MCP server that has nothing to offer, and stays when its input ends. */
export const STUBBORN_SERVER = `while read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  case $line in
    *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}' ;;
    *) [ -z "$id" ] || echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"none"}}' ;;
  esac
done
while :; do sleep 1; done`;
