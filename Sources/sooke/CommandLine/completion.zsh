#compdef sooke
# Completion of sooke for zsh. In this shell: source <(sooke completion zsh)

_sooke_offer() {
    case $1 in
        words) compadd -- ${=2} ;;
        files) _files ;;
        folders) _files -/ ;;
    esac
}

~zones~

_sooke() {
    local word=$words[CURRENT] option=$words[CURRENT-1] command=$words[2] position=$((CURRENT - 1))
    if [[ $word == --*=* ]]; then
        option=${word%%=*}
        compset -P '*='
    fi
    if ((position == 1)); then
        _sooke_offer words '~commands~ --help'
        return
    fi
    case "$command $option" in
~options~
    esac
    case $command in
~words~
    esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _sooke "$@"
else
    compdef _sooke sooke
fi
